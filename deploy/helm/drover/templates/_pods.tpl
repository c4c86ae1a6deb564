{{/* The `restricted` pod security standard, for every pod. */}}
{{- define "drover.podSecurity" -}}
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* Goes beyond the standard: a container can write only where a volume is mounted. */}}
{{- define "drover.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* The Deployment of one role, from a dictionary: root, role, port. */}}
{{- define "drover.deployment" -}}
{{- $root := .root -}}
{{- $values := index $root.Values .role -}}
{{- $isApi := eq .role "api" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "drover.name" (list $root .role) }}
  labels:
    {{- include "drover.labels" (list $root .role) | nindent 4 }}
spec:
  {{- if not $values.autoscaling.enabled }}
  replicas: {{ $values.replicas }}
  {{- else }}
  {{- /* An upgrade that only leaves `replicas` out would set it to 1 until the autoscaler acts. */}}
  {{- with lookup "apps/v1" "Deployment" $root.Release.Namespace (include "drover.name" (list $root .role)) }}
  replicas: {{ .spec.replicas }}
  {{- end }}
  {{- end }}
  selector:
    matchLabels: {{ include "drover.selector" (list $root .role) }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels: {{ include "drover.selector" (list $root .role) }}
      {{- $monitored := $root.Values.serviceMonitor.enabled }}
      {{- if or (not $monitored) (not $root.Values.plainManifests) $values.podAnnotations }}
      annotations:
        {{- if not $monitored }}
        prometheus.io/scrape: 'true'
        prometheus.io/port: '9091'
        {{- end }}
        {{- if not $root.Values.plainManifests }}
        # A change of settings replaces the pods.
        checksum/settings: {{ include "drover.settings" $root | sha256sum }}
        {{- end }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- end }}
    spec:
      {{- if $isApi }}
      # Kubernetes needs up to 5 s to stop sending requests here. Drover then stops within 20 s.
      terminationGracePeriodSeconds: 40
      {{- else }}
      # The worker finishes its work within 20 s. Another worker takes over the rest when the lease expires.
      terminationGracePeriodSeconds: 30
      {{- end }}
      {{- include "drover.podSecurity" $root | nindent 6 }}
      topologySpreadConstraints:
        {{- range $root.Values.topologyKeys }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{ include "drover.selector" (list $root $.role) }}
        {{- end }}
      {{- range $key := list "nodeSelector" "tolerations" "affinity" }}
      {{- with index $values $key }}
      {{ $key }}:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- end }}
      containers:
        - name: {{ .role }}
          {{- if $root.Values.plainManifests }}
          # kustomization.yaml names the registry and the version.
          image: drover
          {{- else }}
          image: {{ include "drover.image" $root }}
          {{- end }}
          args: [{{ .role }}]
          envFrom:
            - configMapRef: { name: {{ include "drover.fullname" $root }} }
            - secretRef: { name: {{ $root.Values.secretName | quote }} }
          ports:
            - { name: http, containerPort: {{ .port }} }
            - { name: metrics, containerPort: 9091 }
          startupProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 2
            failureThreshold: 300
          readinessProbe:
            httpGet: { path: /health/ready, port: http }
            periodSeconds: 5
            timeoutSeconds: 3
            {{- if $isApi }}
            # Without its database a pod is not ready. Readiness allows a minute for a failover, because Drover still answers quotes.
            failureThreshold: 12
            {{- end }}
          livenessProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          {{- if $isApi }}
          lifecycle:
            preStop:
              exec: { command: [sleep, '5'] }
          {{- end }}
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          {{- include "drover.containerSecurity" $root | nindent 10 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
      volumes:
        - name: tmp
          emptyDir: {}
{{- end }}

{{/* How many of a role's pods there are, and how many must stay; from a list of the root and the role. */}}
{{- define "drover.scaling" -}}
{{- $root := first . -}}
{{- $role := last . -}}
{{- $values := index $root.Values $role -}}
{{- $minPods := ternary $values.autoscaling.minReplicas $values.replicas $values.autoscaling.enabled | int -}}
{{- if ge (int $values.disruptionBudget.minAvailable) $minPods }}
{{- fail (printf "%s.disruptionBudget.minAvailable must be less than the minimum of %d pods. Otherwise Kubernetes can't drain a node." $role $minPods) }}
{{- end -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "drover.name" . }}
  labels:
    {{- include "drover.labels" . | nindent 4 }}
spec:
  minAvailable: {{ $values.disruptionBudget.minAvailable }}
  selector:
    matchLabels: {{ include "drover.selector" . }}
{{- if $values.autoscaling.enabled }}
{{- if gt $minPods (int $values.autoscaling.maxReplicas) }}
{{- fail (printf "%s.autoscaling.maxReplicas must be at least minReplicas." $role) }}
{{- end }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "drover.name" . }}
  labels:
    {{- include "drover.labels" . | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ include "drover.name" . }} }
  minReplicas: {{ $minPods }}
  maxReplicas: {{ $values.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ $values.autoscaling.targetCPUUtilizationPercentage }} }
{{- end }}
{{- end }}

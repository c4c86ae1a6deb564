{{/* The beginning of every name, and the label `app` by which a release finds its pods. */}}
{{- define "drover.fullname" -}}
{{- $name := ternary .Release.Name (printf "%s-drover" .Release.Name) (contains "drover" .Release.Name) -}}
{{- default $name .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* A resource's name, from a list of the root and the resource's part. */}}
{{- define "drover.name" -}}
{{- $root := first . -}}
{{- if not $root.Values.plainManifests }}{{ include "drover.fullname" $root }}-{{ end }}{{ last . }}
{{- end }}

{{/* By which selectors find pods, from a list of the root and the role. They never change in an upgrade. */}}
{{- define "drover.selector" -}}
{ app: {{ include "drover.fullname" (first .) }}, role: {{ last . }} }
{{- end }}

{{/* A resource's labels, from a list of the root and the role; the role may be empty. */}}
{{- define "drover.labels" -}}
{{- $root := first . -}}
app: {{ include "drover.fullname" $root }}
{{- with last . }}
role: {{ . }}
{{- end }}
{{- if not $root.Values.plainManifests }}
app.kubernetes.io/name: drover
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" }}
{{- end }}
{{- end }}

{{- define "drover.image" -}}
{{- $image := .Values.image -}}
{{- $repository := required "Set image.repository to the image that you built and pushed." $image.repository -}}
{{- if eq $image.tag "latest" }}
{{- fail "image.tag must be a version, not latest: pods of one release could run different builds." }}
{{- end -}}
{{- if $image.digest }}{{ $repository }}@{{ $image.digest }}
{{- else }}{{ $repository }}:{{ default .Chart.AppVersion $image.tag }}{{ end }}
{{- end }}

{{- define "drover.publicUrl" -}}
{{- required "Set settings.PUBLIC_URL to the public address of Drover, such as https://drover.example.com." .Values.settings.PUBLIC_URL -}}
{{- end }}

{{/* The settings that have a value, one a line. */}}
{{- define "drover.settings" -}}
PUBLIC_URL: {{ include "drover.publicUrl" . | quote }}
{{- range $name, $value := omit .Values.settings "PUBLIC_URL" }}
{{- $isWhole := and (kindIs "float64" $value) (eq (toString (floor $value)) (toString $value)) }}
{{- $text := $isWhole | ternary (int64 $value) $value | toString }}
{{- if $text }}
{{ $name }}: {{ $text | quote }}
{{- end }}
{{- end }}
{{- end }}

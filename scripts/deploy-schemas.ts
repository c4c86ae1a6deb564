import { z } from 'zod'

/**
 * The part of each format that deploy/ uses, and no more: a misspelt or misplaced key is a mistake, as for the
 * API server with strict validation and for `docker compose config`.
 */

const words = z.record(z.string(), z.string())
const named = z.strictObject({
  name: z.string(),
  namespace: z.string().optional(),
  labels: words.optional(),
  annotations: words.optional(),
})
const selector = z.strictObject({ matchLabels: words })

const probe = z.strictObject({
  httpGet: z.strictObject({
    path: z.enum(['/health/live', '/health/ready']),
    port: z.string(),
  }),
  periodSeconds: z.int().positive(),
  timeoutSeconds: z.int().positive().optional(),
  failureThreshold: z.int().positive().optional(),
})

/** Do not loosen this: it meets the `restricted` pod security standard, and goes beyond it. */
const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  args: z.tuple([z.enum(['api', 'worker', 'migrate'])]),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  envFrom: z.array(
    z.union([
      z.strictObject({ configMapRef: z.strictObject({ name: z.string() }) }),
      z.strictObject({ secretRef: z.strictObject({ name: z.string() }) }),
    ]),
  ),
  ports: z.array(z.strictObject({ name: z.string().max(15), containerPort: z.int().min(1_024) })).optional(),
  startupProbe: probe.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  lifecycle: z
    .strictObject({
      preStop: z.strictObject({ exec: z.strictObject({ command: z.array(z.string()) }) }),
    })
    .optional(),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: z.string(), memory: z.string() }),
    limits: z.strictObject({ cpu: z.string().optional(), memory: z.string() }),
  }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string() })).optional(),
})

const pod = z.strictObject({
  automountServiceAccountToken: z.literal(false),
  terminationGracePeriodSeconds: z.int().min(25).optional(),
  restartPolicy: z.literal('Never').optional(),
  imagePullSecrets: z.array(z.strictObject({ name: z.string() })).optional(),
  nodeSelector: words.optional(),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  topologySpreadConstraints: z
    .array(
      z.strictObject({
        maxSkew: z.int(),
        topologyKey: z.string(),
        whenUnsatisfiable: z.enum(['ScheduleAnyway', 'DoNotSchedule']),
        labelSelector: selector,
      }),
    )
    .optional(),
  containers: z.tuple([container]),
  volumes: z.array(z.strictObject({ name: z.string(), emptyDir: z.strictObject({}) })).optional(),
})

const template = z.strictObject({
  metadata: z.strictObject({ labels: words, annotations: words.optional() }),
  spec: pod,
})

export const Deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata: named,
  spec: z.strictObject({
    /** Absent where a HorizontalPodAutoscaler sets it. */
    replicas: z.int().min(2).optional(),
    selector,
    strategy: z.strictObject({
      rollingUpdate: z.strictObject({ maxUnavailable: z.literal(0), maxSurge: z.int().positive() }),
    }),
    template,
  }),
})
export type Deployment = z.output<typeof Deployment>

const Job = z.strictObject({
  apiVersion: z.literal('batch/v1'),
  kind: z.literal('Job'),
  /** Created by hand under a new name each time, or by Helm before an upgrade. */
  metadata: z.union([
    z.strictObject({ generateName: z.string(), labels: words }),
    z.strictObject({
      name: z.string(),
      labels: words,
      annotations: z.strictObject({
        'helm.sh/hook': z.literal('pre-upgrade'),
        'helm.sh/hook-delete-policy': z.string(),
      }),
    }),
  ]),
  spec: z.strictObject({
    backoffLimit: z.int(),
    ttlSecondsAfterFinished: z.int().optional(),
    activeDeadlineSeconds: z.int().optional(),
    template,
  }),
})

const Service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata: named,
  spec: z.strictObject({
    type: z.enum(['NodePort', 'LoadBalancer']).optional(),
    clusterIP: z.literal('None').optional(),
    publishNotReadyAddresses: z.boolean().optional(),
    selector: words,
    ports: z.array(z.strictObject({ name: z.string(), port: z.int(), targetPort: z.string() })),
  }),
})

const peer = z.union([
  z.strictObject({ ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()).optional() }) }),
  z.strictObject({ namespaceSelector: selector, podSelector: selector.optional() }),
  z.strictObject({ podSelector: selector }),
])
const policyPorts = z
  .array(
    z.strictObject({ protocol: z.enum(['TCP', 'UDP']), port: z.union([z.int().positive(), z.string()]) }),
  )
  .min(1)

/** Every rule names peers and ports: a rule without either allows all traffic in or out. */
const NetworkPolicy = z.strictObject({
  apiVersion: z.literal('networking.k8s.io/v1'),
  kind: z.literal('NetworkPolicy'),
  metadata: named,
  spec: z.strictObject({
    podSelector: z.union([selector, z.strictObject({})]),
    policyTypes: z.array(z.enum(['Ingress', 'Egress'])).min(1),
    ingress: z.array(z.strictObject({ from: z.array(peer).min(1), ports: policyPorts })).optional(),
    egress: z.array(z.strictObject({ to: z.array(peer).min(1), ports: policyPorts })).optional(),
  }),
})
export type NetworkPolicy = z.output<typeof NetworkPolicy>

const Ingress = z.strictObject({
  apiVersion: z.literal('networking.k8s.io/v1'),
  kind: z.literal('Ingress'),
  metadata: named,
  spec: z.strictObject({
    ingressClassName: z.string(),
    tls: z.array(z.strictObject({ hosts: z.array(z.string()).min(1), secretName: z.string() })).min(1),
    rules: z.array(
      z.strictObject({
        host: z.string(),
        http: z.strictObject({
          paths: z.array(
            z.strictObject({
              path: z.string(),
              pathType: z.enum(['Prefix', 'Exact']),
              backend: z.strictObject({
                service: z.strictObject({ name: z.string(), port: z.strictObject({ name: z.string() }) }),
              }),
            }),
          ),
        }),
      }),
    ),
  }),
})
export type Ingress = z.output<typeof Ingress>

const PodDisruptionBudget = z.strictObject({
  apiVersion: z.literal('policy/v1'),
  kind: z.literal('PodDisruptionBudget'),
  metadata: named,
  spec: z.strictObject({ minAvailable: z.int().positive(), selector }),
})

const HorizontalPodAutoscaler = z.strictObject({
  apiVersion: z.literal('autoscaling/v2'),
  kind: z.literal('HorizontalPodAutoscaler'),
  metadata: named,
  spec: z.strictObject({
    scaleTargetRef: z.strictObject({
      apiVersion: z.literal('apps/v1'),
      kind: z.literal('Deployment'),
      name: z.string(),
    }),
    minReplicas: z.int().min(2),
    maxReplicas: z.int().min(2),
    metrics: z.tuple([
      z.strictObject({
        type: z.literal('Resource'),
        resource: z.strictObject({
          name: z.literal('cpu'),
          target: z.strictObject({ type: z.literal('Utilization'), averageUtilization: z.int().positive() }),
        }),
      }),
    ]),
  }),
})

/** Of the Prometheus Operator. */
const ServiceMonitor = z.strictObject({
  apiVersion: z.literal('monitoring.coreos.com/v1'),
  kind: z.literal('ServiceMonitor'),
  metadata: named,
  spec: z.strictObject({
    selector,
    jobLabel: z.string(),
    podTargetLabels: z.array(z.string()),
    endpoints: z.array(z.strictObject({ port: z.literal('metrics'), interval: z.string() })).min(1),
  }),
})

const ConfigMap = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ConfigMap'),
  metadata: named,
  data: words,
})

const Namespace = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Namespace'),
  metadata: named,
})

const Kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.string(),
  resources: z.array(z.string()),
  images: z.array(
    z.strictObject({
      name: z.string(),
      newName: z.string(),
      newTag: z.string().regex(/^\d/).optional(),
      digest: z
        .string()
        .regex(/^sha256:[0-9a-f]{64}$/)
        .optional(),
    }),
  ),
})

export const Manifest = z.discriminatedUnion('kind', [
  Deployment,
  Job,
  Service,
  PodDisruptionBudget,
  HorizontalPodAutoscaler,
  ServiceMonitor,
  NetworkPolicy,
  Ingress,
  ConfigMap,
  Namespace,
  Kustomization,
])
export type Manifest = z.output<typeof Manifest>

const healthcheck = z.strictObject({
  test: z.array(z.string()).min(2),
  interval: z.string(),
  timeout: z.string(),
  start_period: z.string(),
})
const service = z.strictObject({
  image: z.string(),
  build: z
    .strictObject({
      context: z.string(),
      dockerfile: z.string(),
      args: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  command: z.array(z.string()).optional(),
  restart: z.literal('unless-stopped'),
  init: z.boolean().optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  stop_grace_period: z.string().optional(),
  shm_size: z.string().optional(),
  depends_on: z
    .record(z.string(), z.strictObject({ condition: z.enum(['service_healthy', 'service_started']) }))
    .optional(),
  environment: words.optional(),
  healthcheck: healthcheck.optional(),
  networks: z.record(z.string(), z.strictObject({ ipv4_address: z.ipv4() })).optional(),
  ports: z.array(z.string()).optional(),
  configs: z.array(z.strictObject({ source: z.string(), target: z.string() })).optional(),
  volumes: z.array(z.string()).optional(),
})

export const Compose = z.looseObject({
  name: z.string(),
  services: z.record(z.string(), service),
  configs: z.record(z.string(), z.strictObject({ content: z.string() })),
  networks: z
    .record(
      z.string(),
      z.strictObject({ ipam: z.strictObject({ config: z.array(z.strictObject({ subnet: z.cidrv4() })) }) }),
    )
    .optional(),
  volumes: z.record(z.string(), z.null()),
})
export type Compose = z.output<typeof Compose>

export const Alerts = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Drover[A-Z]\w+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[mh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'warn']) }),
          annotations: z.strictObject({ summary: z.string() }),
        }),
      ),
    }),
  ),
})

import { z } from 'zod'

/**
 * The values of deploy/helm/drover. `scripts/build-kubernetes.ts` writes them as JSON Schema, which Helm applies to each
 * install and upgrade; `lintChart` holds them against the variables that the product reads.
 */

/** Variables that hold a password, a key or a token: they come from a Secret that exists, and values have no place for them. */
export const SECRET_SETTINGS: readonly string[] = [
  ...['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL', 'SMS_URL', 'SMTP_URL'],
  ...['DROVER_OPERATOR_TOKEN', 'DROVER_SECRET_KEY', 'DROVER_OLD_SECRET_KEYS'],
  ...['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'],
]

/** Variables that the image sets and the probes and ports rely on, or that live mode rejects. */
export const FIXED_SETTINGS: readonly string[] = [
  ...['PORT', 'HOST', 'METRICS_PORT', 'DROVER_WORKER_PORT', 'DROVER_HOME', 'DROVER_COMMIT', 'NODE_ENV'],
  'DROVER_ALLOW_PRIVATE_WEBHOOKS',
]

const text = z.string()
const url = z.string().regex(/^(https?:\/\/\S+)?$/)
/** A whole number from `min` to `max`, in quotes or not; or empty. */
const number = (min: number, max = 999_999_999) =>
  z.union([z.string().regex(/^\d{0,9}$/), z.int().min(min).max(max)])
const flag = z.union([z.enum(['', '0', '1', 'false', 'true']), z.boolean(), z.literal([0, 1])])

const settings = z.strictObject({
  PUBLIC_URL: url,
  DROVER_LIVE: flag,
  DROVER_TRUSTED_PROXIES: z.string().regex(/^[\d.,:/ a-fA-F]*$/),
  DROVER_CONNECTIONS_PER_ADDRESS: number(1, 100_000),
  DROVER_BODY_MEMORY_MB: number(28, 65_536),
  DROVER_BODY_SECONDS: number(1, 600),
  LOG_LEVEL: z.enum(['', 'fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  MAP_TILES_URL: z.string().regex(/^(https?:\/\/.+)?$/),
  MAP_ATTRIBUTION: text,
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['', 'http/json']),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.enum(['', 'http/json']),
  OTEL_EXPORTER_OTLP_TIMEOUT: number(1),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: number(1),
  OTEL_SERVICE_NAME: text,
  OTEL_RESOURCE_ATTRIBUTES: text,
  OTEL_TRACES_SAMPLER: text,
  OTEL_TRACES_SAMPLER_ARG: z.union([text, z.number().min(0).max(1)]),
  OTEL_TRACES_EXPORTER: text,
  OTEL_SDK_DISABLED: z.union([text, z.boolean()]),
  OTEL_BSP_SCHEDULE_DELAY: number(1),
  OTEL_BSP_MAX_QUEUE_SIZE: number(1),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: number(1),
})

export const CHART_SETTINGS: readonly string[] = Object.keys(settings.shape)

const labels = z.record(z.string(), z.string())
const quantity = z.union([z.string(), z.number()])
const resources = z.strictObject({
  requests: z.record(z.string(), quantity),
  /** Without a limit, one process that leaks memory can take a node's. */
  limits: z.object({ memory: z.string() }).catchall(quantity),
})
const pods = z.int().min(1).max(1_000)

const role = z.strictObject({
  replicas: z.int().min(2).max(1_000).describe('At least two, so that one can die without an outage.'),
  autoscaling: z.strictObject({
    enabled: z.boolean(),
    minReplicas: z.int().min(2).max(1_000),
    maxReplicas: z.int().min(2).max(1_000),
    targetCPUUtilizationPercentage: z.int().min(1).max(100),
  }),
  disruptionBudget: z.strictObject({ minAvailable: pods }),
  resources,
  podAnnotations: labels,
  nodeSelector: labels,
  tolerations: z.array(z.looseObject({})),
  affinity: z.looseObject({}),
})

/** A peer or a port is always named: Kubernetes reads an empty list as “all”. */
const peers = z
  .array(
    z.union([
      z.strictObject({
        ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()).optional() }),
      }),
      z.strictObject({ namespaceSelector: z.looseObject({}), podSelector: z.looseObject({}).optional() }),
      z.strictObject({ podSelector: z.looseObject({}) }),
    ]),
  )
  .min(1)
const ports = z.array(z.int().min(1).max(65_535)).min(1)

const networkPolicy = z.strictObject({
  enabled: z.boolean(),
  wholeNamespace: z.boolean(),
  dns: z.strictObject({ to: peers }),
  database: z.strictObject({ to: peers, ports }),
  requests: z.strictObject({ from: peers }),
  metrics: z.strictObject({ from: peers }),
  mail: z.strictObject({ enabled: z.boolean(), ports }),
  traces: z.strictObject({ enabled: z.boolean(), to: peers, ports }),
  extraEgress: z.array(
    z.strictObject({
      to: peers,
      ports: z
        .array(z.strictObject({ protocol: z.enum(['TCP', 'UDP']), port: z.int().min(1).max(65_535) }))
        .min(1),
    }),
  ),
})

const host = z.string().regex(/^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/)

export const ChartValues = z.strictObject({
  image: z.strictObject({
    repository: z.string(),
    tag: z.string().regex(/^[\w.-]*$/),
    digest: z.string().regex(/^(sha256:[0-9a-f]{64})?$/),
  }),
  imagePullSecrets: z.array(z.strictObject({ name: z.string() })),
  secretName: z.string().regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/),
  settings,
  api: role,
  worker: role,
  topologyKeys: z.array(z.string()).min(1),
  migration: z.strictObject({
    enabled: z.boolean(),
    backoffLimit: z.int().min(0),
    activeDeadlineSeconds: z.int().min(1),
    resources,
  }),
  service: z.strictObject({
    type: z.enum(['ClusterIP', 'NodePort', 'LoadBalancer']),
    annotations: labels,
  }),
  ingress: z.strictObject({
    enabled: z.boolean(),
    className: z.string().min(1),
    annotations: labels,
    hosts: z.array(host),
    tlsSecretName: z.string().min(1),
  }),
  networkPolicy,
  serviceMonitor: z.strictObject({
    enabled: z.boolean(),
    interval: z.string().regex(/^\d+(ms|s|m)$/),
    labels,
  }),
  fullnameOverride: z.string().regex(/^([a-z]([a-z0-9-]{0,38}[a-z0-9])?)?$/),
  plainManifests: z.boolean(),
  /** What a parent chart gives to every chart. Drover's reads nothing from it. */
  global: z.looseObject({}).optional(),
})

/** The text of values.schema.json. */
export function renderValuesSchema(): string {
  const schema = z.toJSONSchema(ChartValues, { target: 'draft-7', io: 'input' })
  return `${JSON.stringify({ $comment: 'Generated by scripts/build-kubernetes.ts.', ...schema }, null, 2)}\n`
}

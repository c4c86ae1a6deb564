import { z } from 'zod'
import { SAMPLERS } from './tracing/sampler.ts'
import type { TraceSettings } from './tracing/settings.ts'

type Given = Readonly<Record<string, string | undefined>>

/**
 * Reads OpenTelemetry's standard variables, as far as they apply here. Null: no traces, because no endpoint
 * is set or tracing is disabled.
 */
export function readTraces(given: Given): { traces: TraceSettings | null; mistakes: string[] } {
  const endpoint = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? given.OTEL_EXPORTER_OTLP_ENDPOINT
  const off = given.OTEL_SDK_DISABLED === 'true' || given.OTEL_TRACES_EXPORTER === 'none'
  if (!endpoint || off) return { traces: null, mistakes: [] }
  const { success, data, error } = Variables.safeParse(given)
  if (!success) return { traces: null, mistakes: error.issues.map(({ message }) => message) }
  const base = data.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '')
  const traces = {
    url: data.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? `${base}/v1/traces`,
    headers: { ...data.OTEL_EXPORTER_OTLP_HEADERS, ...data.OTEL_EXPORTER_OTLP_TRACES_HEADERS },
    sampler: data.OTEL_TRACES_SAMPLER,
    ratio: data.OTEL_TRACES_SAMPLER_ARG,
    resource: {
      'service.name': 'drover',
      ...data.OTEL_RESOURCE_ATTRIBUTES,
      ...(data.OTEL_SERVICE_NAME ? { 'service.name': data.OTEL_SERVICE_NAME } : {}),
    },
    queue: {
      delayMs: data.OTEL_BSP_SCHEDULE_DELAY,
      maxWaiting: data.OTEL_BSP_MAX_QUEUE_SIZE,
      maxTogether: Math.min(data.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, data.OTEL_BSP_MAX_QUEUE_SIZE),
      timeoutMs: data.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? data.OTEL_EXPORTER_OTLP_TIMEOUT,
    },
  }
  return { traces: Object.freeze(traces), mistakes: [] }
}

/** Defaults follow the specification. Error messages never repeat values: headers hold keys. */
const Variables = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: address('OTEL_EXPORTER_OTLP_ENDPOINT').optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs('OTEL_EXPORTER_OTLP_HEADERS').default({}),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: pairs('OTEL_EXPORTER_OTLP_TRACES_HEADERS').default({}),
  OTEL_EXPORTER_OTLP_PROTOCOL: onlyJson('OTEL_EXPORTER_OTLP_PROTOCOL'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: onlyJson('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'),
  OTEL_EXPORTER_OTLP_TIMEOUT: whole('OTEL_EXPORTER_OTLP_TIMEOUT').default(10_000),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: whole('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT').optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs('OTEL_RESOURCE_ATTRIBUTES').default({}),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, { error: `OTEL_TRACES_SAMPLER must be one of ${SAMPLERS.join(', ')}.` })
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    // No two parts of the pattern can match the same digit, so a long text is scanned only once.
    .regex(/^(?:\d+(?:\.\d+)?|\.\d+)$/, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
    .transform(Number)
    .refine((ratio) => ratio <= 1, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
    .default(1),
  OTEL_BSP_SCHEDULE_DELAY: whole('OTEL_BSP_SCHEDULE_DELAY').default(5_000),
  OTEL_BSP_MAX_QUEUE_SIZE: whole('OTEL_BSP_MAX_QUEUE_SIZE').default(2_048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: whole('OTEL_BSP_MAX_EXPORT_BATCH_SIZE').default(512),
})

function address(name: string) {
  return z
    .string()
    .refine(
      (text) => URL.canParse(text) && /^https?:\/\//.test(text),
      `${name} must begin with http:// or https://.`,
    )
}

/** Milliseconds or a number of spans. */
function whole(name: string) {
  return z
    .string()
    .regex(/^[1-9]\d{0,8}$/, `${name} must be a whole number above 0.`)
    .transform(Number)
}

function onlyJson(name: string) {
  return z
    .literal('http/json', {
      error: `${name} must be http/json, the only protocol that Drover exports. Collectors receive it on port 4318.`,
    })
    .optional()
}

/** `a=1,b=two%20words`, in W3C Baggage's format. */
function pairs(name: string) {
  return z.string().transform((text, context) => {
    const read = text.split(',').flatMap((pair) => {
      const [, key, value] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
      const known = value === undefined ? null : decoded(value)
      return key && known !== null ? [[key, known] as const] : []
    })
    if (read.length === text.split(',').length) return Object.fromEntries(read)
    context.addIssue(`${name} must be pairs such as key=value, separated by commas.`)
    return z.NEVER
  })
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

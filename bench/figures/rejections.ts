import { costOfBytes, costOfMistakes } from '../../src/http/admission/cost-of-request.ts'
import { QUOTE_EXAMPLE } from '../../src/http/api/fields/examples.ts'
import { SMALL_BODY } from '../../src/http/contract/body-limit.ts'
import { COST_OF_REFUSAL } from '../../src/operations/paperwork/label-issues.ts'
import { startBenchDatabase } from '../environment/database.ts'
import type { Environment, Plan } from '../environment/environment.ts'
import { HOST, liftLimits, type Service, startService } from '../environment/service.ts'
import { ADDRESS, type Load, requestText } from '../load/load.ts'
import { median } from '../ratios.ts'
import { IN_MANY_SCRIPTS, tooLongForLabels } from './delivery.ts'
import { atMost, type Figure } from './figure.ts'
import { QUOTE } from './quotes.ts'

/** One request that is rejected: the rule, the input, the expected response. */
type Rejection = {
  name: string
  line: string
  status: number
  body?: string
  headers?: Record<string, string>
  bearer?: 'good' | 'wrong'
  /** The number of mistakes in the response; they count too. */
  mistakes?: number
  /** Extra work that finding the mistake needs. */
  cost?: number
}

const CONNECTIONS = 8
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const KIB = 1024

/** Under 16 KiB, so that each counts as one request of its address. */
const KEYS = objectOf(1_300, (n) => `key_${n}`)
const MISSPELT = objectOf(39, (n) => `passwort_${n.toString(36)}`)

const REJECTIONS: readonly Rejection[] = [
  { name: '1,300 different keys', line: 'POST /session', status: 422, body: KEYS },
  { name: '39 unknown fields', line: 'POST /session', status: 422, body: MISSPELT, mistakes: 39 },
  { name: 'nesting of 8,000', line: 'POST /driver/login', status: 400, body: '['.repeat(8_000) },
  { name: 'a string of 16 KB', line: 'POST /driver/login', status: 422, body: longText('phone', 'x') },
  {
    name: 'an email address of 16 KB',
    line: 'POST /session/forgotten',
    status: 422,
    body: longText('email', 'a.'),
  },
  {
    name: 'half a JSON text',
    line: 'POST /l/nobody/verify',
    status: 400,
    body: `{"reference":"${'x'.repeat(15_000)}`,
  },
  {
    name: 'a form of 8,000 parameters',
    line: 'POST /demo/auth/token',
    status: 400,
    body: 'a=1&'.repeat(4_000),
    headers: FORM,
  },
  { name: 'a query of 3,000 parameters', line: `GET /map?${'abc=&'.repeat(2_500)}`, status: 422 },
  { name: 'an unknown address', line: `POST /${'x'.repeat(300)}`, status: 404, body: KEYS },
  {
    name: 'a wrong bearer',
    line: `POST ${QUOTE}`,
    status: 401,
    body: JSON.stringify(QUOTE_EXAMPLE),
    bearer: 'wrong',
  },
  {
    name: 'a wrong signature of an address',
    line: `GET /demo/deliveries/dlv_x/label?exp=4000000000&sig=${'x'.repeat(43)}`,
    status: 403,
  },
  {
    name: 'a wrong signature of a carrier',
    line: 'POST /carriers/swiftly/demo/webhooks',
    status: 401,
    body: longText('events', 'x'),
  },
  {
    name: 'a body over its limit',
    line: 'POST /session',
    status: 413,
    body: longText('email', 'x', 64 * KIB),
  },
  {
    name: 'a quote of 45,000 different keys',
    line: `POST ${QUOTE}`,
    status: 422,
    body: objectOf(45_000, (n) => `k${n}`),
    bearer: 'good',
  },
  {
    name: 'a quote with 59 unknown fields',
    mistakes: 59,
    line: `POST ${QUOTE}`,
    status: 422,
    body: objectOf(59, (n) => `parcel_${n}`),
    bearer: 'good',
  },
  {
    name: 'a quote of 500 wrong parcels',
    mistakes: 100,
    line: `POST ${QUOTE}`,
    status: 422,
    body: parcels(500),
    bearer: 'good',
  },
  {
    name: 'a quote of 200 wrong parcels',
    mistakes: 100,
    line: `POST ${QUOTE}`,
    status: 422,
    body: parcels(200),
    bearer: 'good',
  },
  {
    // The smallest body with a hundred reported mistakes.
    name: 'a quote of 13 wrong parcels',
    mistakes: 100,
    line: `POST ${QUOTE}`,
    status: 422,
    body: parcels(13),
    bearer: 'good',
  },
  {
    name: 'a quote with a text of 1 MB',
    line: `POST ${QUOTE}`,
    status: 422,
    body: longText('store_reference', 'x', 1_000 * KIB),
    bearer: 'good',
  },
  {
    name: 'a create of 9,000 texts of escapes',
    mistakes: 100,
    line: 'POST /demo/deliveries',
    status: 422,
    body: `{"parcels":["\\u0000"${',"\\u0000"'.repeat(9_000)}]}`,
    bearer: 'good',
  },
  ...[
    ['of long texts', 'W'],
    ['of long texts in many scripts', IN_MANY_SCRIPTS],
  ].map(([of, text]) => ({
    name: `a create ${of}, too long for its label`,
    line: 'POST /demo/deliveries',
    status: 422,
    body: asciiJson(tooLongForLabels(text as string)),
    bearer: 'good' as const,
    cost: COST_OF_REFUSAL,
  })),
]

/**
 * The service's CPU time for one rejected request, in quotes, for each request of the rate limit that it counts as:
 * a caller at the limit costs others no more with rejections than with quotes.
 */
export async function rejectionFigures({ generator, plan }: Environment): Promise<Figure[]> {
  const database = await startBenchDatabase()
  const service = await startService(database.home, database.url, { isBehindProxy: true })
  try {
    await liftLimits(service)
    const quote = {
      name: 'quote',
      line: `POST ${QUOTE}`,
      body: JSON.stringify(QUOTE_EXAMPLE),
      bearer: 'good' as const,
    }
    const cpuOf = async (load: Load): Promise<number> => {
      const { cpuMicros } = await generator.run(load, service.pid)
      if (cpuMicros === null) throw new Error('This system does not report the CPU time of a process.')
      return cpuMicros
    }
    await cpuOf(loadOf(service, quote, { ...plan, durationMs: plan.settledMs, refused: null }))
    const figures: Figure[] = []
    for (const rejection of REJECTIONS) {
      const counted =
        1 +
        costOfBytes(chargedBytes(rejection)) +
        costOfMistakes(rejection.mistakes ?? 0) +
        (rejection.cost ?? 0)
      // The first request of some loads fonts, which none after it does. Without time to measure it does not matter.
      if (plan.refused === null) await cpuOf(loadOf(service, rejection, { ...plan, refused: CONNECTIONS }))
      const rounds: { ours: number; limit: number }[] = []
      for (let round = 0; round < plan.rounds; round++) {
        const limit = await cpuOf(loadOf(service, quote, plan))
        rounds.push({ ours: (await cpuOf(loadOf(service, rejection, plan))) / counted, limit })
      }
      figures.push(figureOf(rejection.name, counted, rounds))
    }
    return figures
  } finally {
    await service.stop()
    await database.stop()
  }
}

/** A body that is too large counts as the largest allowed body, and a body that is never read counts as empty. */
function chargedBytes({ status, body = '' }: Rejection): number {
  if (status === 404) return 0
  return status === 413 ? SMALL_BODY.bytes : body.length
}

function figureOf(name: string, counted: number, rounds: readonly { ours: number; limit: number }[]): Figure {
  const [ours, limit] = [
    median(rounds.map((round) => round.ours)),
    median(rounds.map((round) => round.limit)),
  ]
  const words = counted === 1 ? '' : ` for each of the ${counted} requests it counts as`
  return {
    name: `refusing ${name}, in quotes`,
    goal: atMost(2, 1),
    value: median(rounds.map((round) => round.ours / round.limit)),
    unit: 'requests',
    beside: `${Math.round(ours)} µs${words} ÷ ${Math.round(limit)} µs`,
  }
}

function loadOf(
  service: Service,
  { line, body, headers = {}, bearer, status }: Omit<Rejection, 'status'> & { status?: number },
  { durationMs, warmUpMs, refused }: Plan,
): Load {
  const token = bearer === 'good' ? { token: service.token } : bearer === 'wrong' ? { token: 'wrong' } : {}
  const from = { 'x-forwarded-for': ADDRESS }
  return {
    host: HOST,
    port: service.port,
    connections: CONNECTIONS,
    request: requestText(line, {
      host: HOST,
      ...token,
      headers: { ...from, ...headers },
      ...(body && { body }),
    }),
    ...(status && { status }),
    ...(refused === null ? { warmUpMs, until: { durationMs } } : { until: { requests: refused } }),
  }
}

/** The generator sends one byte for each character. */
function asciiJson(value: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replaceAll(/[\u0080-\uffff]/g, escaped)
}

function objectOf(count: number, name: (n: number) => string): string {
  return `{${Array.from({ length: count }, (_, n) => `"${name(n)}":1`)}}`
}

function longText(field: string, of: string, bytes = 15 * KIB): string {
  return `{"${field}":"${of.repeat(bytes / of.length)}"}`
}

/** Parcels in which every field is wrong and one field is unknown. */
function parcels(count: number): string {
  const wrong = Object.fromEntries(Object.keys(QUOTE_EXAMPLE.parcels[0] ?? {}).map((field) => [field, false]))
  return JSON.stringify({
    ...QUOTE_EXAMPLE,
    parcels: Array.from({ length: count }, () => ({ ...wrong, wieght: 1 })),
  })
}

import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { secretStrength } from './domain/people/secret-strength.ts'
import { INTAKE_LIMITS, type IntakeLimits } from './http/contract/intake-limits.ts'
import { readTraces } from './observability/traces-config.ts'
import type { TraceSettings } from './observability/tracing/settings.ts'
import { findUrlMistake } from './store/db/servers.ts'

export type Config = Readonly<{
  port: number
  host: string
  /** Port of a worker's health checks and metrics; null: none. */
  workerPort: number | null
  /** Separate port for the metrics of every process; null: they share the other port. */
  metricsPort: number | null
  /** Absolute. Holds the embedded database and the kept secret key. */
  home: string
  /** Null: the embedded PostgreSQL is used. */
  databaseUrl: string | null
  /** PostgreSQL itself, if `databaseUrl` is a pooler's. */
  databaseDirectUrl: string | null
  /** A read replica of it, for lists and reports; null: none. */
  databaseReadUrl: string | null
  /** The public address of this service, without a slash at its end. */
  publicUrl: string
  operatorToken: string
  secretKey: string
  /** Earlier keys: they still decrypt old secrets until `drover secret reseal` has been run. */
  oldSecretKeys: readonly string[]
  allowPrivateWebhooks: boolean
  /** Trusted proxies, whose X-Forwarded-For names the caller's address: addresses and ranges. */
  trustedProxies: readonly string[]
  /** Limits of the requests that one process reads at once. */
  limits: IntakeLimits
  logLevel: NonNullable<z.output<typeof EnvironmentSchema>['LOG_LEVEL']>
  smtpUrl: string | null
  smsUrl: string | null
  /** Map tiles; null: the pages draw their own map. */
  mapTiles: { url: string; origins: readonly string[]; attribution: string | null } | null
  /** The collector of OpenTelemetry traces; null: there are no traces. */
  traces: TraceSettings | null
  /** The commit that the image was built from; null: unknown, or run from a clone. */
  commit: string | null
  /** Serves real merchants: public demo secrets are rejected. */
  live: boolean
}>

/** Every mistake in the environment, one sentence each. The process ends with code 2. */
export class ConfigMistakes extends Error {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(`The environment has mistakes:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`)
    this.mistakes = mistakes
  }
}

/**
 * Reads the environment once and freezes it. Throws ConfigMistakes with every mistake there is. `defaultLogLevel`: where
 * the environment says none. `createsKey: false` only reads the kept secret key; '' if it is absent or unreadable.
 */
export function loadConfig(
  env: Environment = process.env,
  {
    defaultLogLevel = 'info',
    createsKey = true,
  }: { defaultLogLevel?: Config['logLevel']; createsKey?: boolean } = {},
): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const production = given.NODE_ENV === 'production'
  const live = flag.safeParse(given.DROVER_LIVE).data ?? production
  const { success, data, error } = EnvironmentSchema.safeParse(given)
  const { traces, mistakes: ofTraces } = readTraces(given)
  const mistakes = [
    ...(error?.issues ?? []).map(({ message }) => message),
    ...ofTraces,
    ...(success ? [...samePortMistakes(data), ...embeddedMistakes(data)] : []),
    ...(live ? liveMistakes(given) : []),
    // Images set NODE_ENV=production, so that test settings are rejected.
    ...(live || production ? testMistakes(given) : []),
  ]
  if (!success || mistakes.length > 0) throw new ConfigMistakes(mistakes)
  const home = resolve(data.DROVER_HOME)
  return Object.freeze({
    port: data.PORT,
    host: data.HOST,
    workerPort: data.DROVER_WORKER_PORT,
    metricsPort: data.METRICS_PORT,
    home,
    databaseUrl: data.DATABASE_URL,
    databaseDirectUrl: data.DATABASE_DIRECT_URL,
    databaseReadUrl: data.DATABASE_READ_URL,
    publicUrl: (data.PUBLIC_URL ?? servedAt(data.HOST, data.PORT)).replace(/\/+$/, ''),
    operatorToken: data.DROVER_OPERATOR_TOKEN,
    secretKey: data.DROVER_SECRET_KEY ?? (createsKey ? keptSecret(home) : keptSecretIfAny(home)),
    oldSecretKeys: data.DROVER_OLD_SECRET_KEYS,
    allowPrivateWebhooks: data.DROVER_ALLOW_PRIVATE_WEBHOOKS,
    trustedProxies: data.DROVER_TRUSTED_PROXIES,
    limits: {
      bodyBytes: data.DROVER_BODY_MEMORY_MB * MIB,
      bodyMs: data.DROVER_BODY_SECONDS * 1_000,
      perAddress: data.DROVER_CONNECTIONS_PER_ADDRESS,
    },
    logLevel: data.LOG_LEVEL ?? defaultLogLevel,
    smtpUrl: data.SMTP_URL,
    smsUrl: data.SMS_URL,
    mapTiles: data.MAP_TILES_URL && { ...data.MAP_TILES_URL, attribution: data.MAP_ATTRIBUTION },
    traces,
    commit: data.DROVER_COMMIT,
    live,
  })
}

/** The service that commands call, and the secret that they sign in with; null when not set. */
export function loadClientSettings(env: Environment = process.env): {
  url: string
  clientSecret: string | null
} {
  return {
    url: env.DROVER_URL?.trim() || `http://127.0.0.1:${env.PORT?.trim() || 8080}`,
    clientSecret: env.DROVER_CLIENT_SECRET?.trim() || null,
  }
}

/** npm runs a script in a shell, which ends at a SIGTERM to npm without passing it on. */
export function isStartedByNpm(env: Environment = process.env): boolean {
  return ['start', 'npx'].includes(env.npm_lifecycle_event ?? '')
}

/** Every setting by name: those of the services, and those of the commands that call one. */
export function knownSettings(): string[] {
  return [...Object.keys(EnvironmentSchema.shape), 'DROVER_URL', 'DROVER_CLIENT_SECRET']
}

/** The raw environment, for the doctor to check. */
export function environment(): Environment {
  return process.env
}

type Environment = Readonly<Record<string, string | undefined>>

/** The demo's operator token: printed at its start, and public. */
const DEMO_OPERATOR_TOKEN = 'demo-operator'

/** 32 random bytes are 43 characters of base64url; a shorter secret is too easy to guess. */
const SHORTEST_SECRET = 32
/** 64 bits in hexadecimal. */
export const SHORTEST_OPERATOR_TOKEN = 16

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value <= 65_535)

const MIB = 1024 * 1024

/** A whole number from `min` to `max`. */
const numberFrom = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max)

const flag = z.enum(['0', '1', 'false', 'true']).transform((value) => value === '1' || value === 'true')

const proxies = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .refine((all) => all.every((one) => ipaddr.isValid(one) || ipaddr.isValidCIDR(one)))

const urlOf = (...schemes: string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)))

/** One variable a line, with the message for a wrong value. Values are never repeated: they may be secrets. */
const EnvironmentSchema = z.object({
  PORT: sentence(port, 'PORT must be a number from 0 to 65535.').default(8080),
  HOST: sentence(z.string().regex(/^[\w.:-]+$/), 'HOST must be an address or a host name.').default(
    '127.0.0.1',
  ),
  DROVER_WORKER_PORT: sentence(port, 'DROVER_WORKER_PORT must be a number from 0 to 65535.')
    .nullable()
    .default(null),
  METRICS_PORT: sentence(port, 'METRICS_PORT must be a number from 0 to 65535.').nullable().default(null),
  DROVER_HOME: z.string().default('./.drover'),
  DATABASE_URL: databaseUrl('DATABASE_URL').nullable().default(null),
  DATABASE_DIRECT_URL: databaseUrl('DATABASE_DIRECT_URL').nullable().default(null),
  DATABASE_READ_URL: databaseUrl('DATABASE_READ_URL').nullable().default(null),
  PUBLIC_URL: sentence(urlOf('http', 'https'), 'PUBLIC_URL must begin with http:// or https://.')
    .nullable()
    .default(null),
  DROVER_OPERATOR_TOKEN: z.string().default(DEMO_OPERATOR_TOKEN),
  DROVER_SECRET_KEY: sentence(
    z.string().min(SHORTEST_SECRET),
    `DROVER_SECRET_KEY must have at least ${SHORTEST_SECRET} characters.`,
  )
    .nullable()
    .default(null),
  DROVER_OLD_SECRET_KEYS: z
    .string()
    .default('')
    .transform((keys) => keys.split(',').flatMap((key) => key.trim() || [])),
  DROVER_COMMIT: sentence(z.string().regex(/^[0-9a-f]{7,64}$/), 'DROVER_COMMIT must be a commit hash.')
    .nullable()
    .default(null),
  DROVER_LIVE: sentence(flag, 'DROVER_LIVE must be 1 or 0.').default(false),
  DROVER_ALLOW_PRIVATE_WEBHOOKS: sentence(flag, 'DROVER_ALLOW_PRIVATE_WEBHOOKS must be 1 or 0.').default(
    false,
  ),
  DROVER_TRUSTED_PROXIES: sentence(
    proxies,
    'DROVER_TRUSTED_PROXIES must be addresses or ranges separated by commas, such as 10.0.0.0/8,192.0.2.7.',
  ).default([]),
  // Four times the largest body at least, as one address gets a quarter.
  DROVER_BODY_MEMORY_MB: sentence(
    numberFrom(28, 65_536),
    'DROVER_BODY_MEMORY_MB must be a number from 28 to 65536.',
  ).default(INTAKE_LIMITS.bodyBytes / MIB),
  DROVER_BODY_SECONDS: sentence(
    numberFrom(1, 600),
    'DROVER_BODY_SECONDS must be a number from 1 to 600.',
  ).default(INTAKE_LIMITS.bodyMs / 1_000),
  DROVER_CONNECTIONS_PER_ADDRESS: sentence(
    numberFrom(1, 100_000),
    'DROVER_CONNECTIONS_PER_ADDRESS must be a number from 1 to 100000.',
  ).default(INTAKE_LIMITS.perAddress),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.',
    })
    .nullable()
    .default(null),
  SMTP_URL: sentence(urlOf('smtp', 'smtps'), 'SMTP_URL must begin with smtp:// or smtps://.')
    .nullable()
    .default(null),
  SMS_URL: sentence(urlOf('http', 'https'), 'SMS_URL must begin with http:// or https://.')
    .nullable()
    .default(null),
  // A MapLibre style, or raster tiles with {z}/{x}/{y}; after a space, other places that it loads from.
  MAP_TILES_URL: sentence(
    z
      .string()
      .transform((text) => text.trim().split(/\s+/))
      .refine((urls) => urls.every((url) => URL.canParse(url) && /^https?:/.test(url)))
      .transform((urls) => ({
        url: urls[0] as string,
        origins: [...new Set(urls.map((url) => new URL(url).origin))],
      })),
    'MAP_TILES_URL must begin with http:// or https://, and so must each further address after a space.',
  )
    .nullable()
    .default(null),
  MAP_ATTRIBUTION: z.string().nullable().default(null),
})

/** Of one server, or of several with commas between their hosts. */
function databaseUrl(name: string) {
  return z.string().superRefine((text, context) => {
    const mistake = findUrlMistake(text)
    if (mistake === 'form') {
      context.addIssue(
        `${name} must look like postgres://user:password@host:5432/database, with commas between several hosts.`,
      )
    }
    if (mistake === 'role') {
      context.addIssue(`${name} must have target_session_attrs=read-write or primary, or none.`)
    }
  })
}

/** Replaces the schema's own messages by this sentence. */
function sentence<T>(schema: z.ZodType<T, string>, message: string) {
  return z.string().transform((text, context): T => {
    const parsed = schema.safeParse(text)
    if (parsed.success) return parsed.data
    context.addIssue(message)
    return z.NEVER
  })
}

/** Two servers cannot listen on one port. */
function samePortMistakes({
  PORT,
  DROVER_WORKER_PORT,
  METRICS_PORT,
}: z.output<typeof EnvironmentSchema>): string[] {
  if (!METRICS_PORT || ![PORT, DROVER_WORKER_PORT].includes(METRICS_PORT)) return []
  return ['METRICS_PORT must differ from PORT and DROVER_WORKER_PORT: metrics have their own port.']
}

function embeddedMistakes(given: z.output<typeof EnvironmentSchema>): string[] {
  if (given.DATABASE_URL) return []
  return [
    ...(given.DATABASE_READ_URL
      ? ['DATABASE_READ_URL needs DATABASE_URL: the embedded database has no replica.']
      : []),
    ...(given.DATABASE_DIRECT_URL
      ? ['DATABASE_DIRECT_URL needs DATABASE_URL: the embedded database has no pooler.']
      : []),
  ]
}

function liveMistakes(given: Record<string, string | undefined>): string[] {
  const mistakes: string[] = []
  const operatorToken = given.DROVER_OPERATOR_TOKEN ?? DEMO_OPERATOR_TOKEN
  if (operatorToken === DEMO_OPERATOR_TOKEN) {
    mistakes.push("DROVER_OPERATOR_TOKEN must be set, and not to the demo's, in live mode.")
  } else if (operatorToken.length < SHORTEST_OPERATOR_TOKEN) {
    mistakes.push(
      `DROVER_OPERATOR_TOKEN must have at least ${SHORTEST_OPERATOR_TOKEN} characters in live mode. ${MAKE_ONE}`,
    )
  } else mistakes.push(...weak('DROVER_OPERATOR_TOKEN', operatorToken, FEWEST_BITS.operatorToken))
  if (!given.DROVER_SECRET_KEY) mistakes.push(`DROVER_SECRET_KEY must be set in live mode. ${MAKE_ONE}`)
  else if (given.DROVER_SECRET_KEY.length >= SHORTEST_SECRET)
    mistakes.push(...weak('DROVER_SECRET_KEY', given.DROVER_SECRET_KEY, FEWEST_BITS.secretKey))
  if (!given.PUBLIC_URL) {
    mistakes.push(
      'PUBLIC_URL must be set in live mode: links for customers begin with it. Set it to the public address of Drover, ' +
        'such as https://drover.example.com.',
    )
  }
  return [...mistakes, ...clearTextMistakes(given)]
}

/** A key that encrypts for years needs 128 bits; a token can only be guessed over the network, so 64 are enough. */
export const FEWEST_BITS = { secretKey: 128, operatorToken: 64 } as const
export const MAKE_ONE = 'Make one with: openssl rand -hex 32'

function weak(name: string, secret: string, fewest: number): string[] {
  const { bits, why } = secretStrength(secret)
  if (bits >= fewest) return []
  const because = why.length > 0 ? `it ${why.join(' and ')}` : 'it is short'
  return [
    `${name} is easy to guess: ${because}, which leaves about ${bits} bits of ${fewest} that live mode needs. ${MAKE_ONE}`,
  ]
}

/** Settings that would send logins, and customers' names and numbers, unencrypted over a network. */
function clearTextMistakes(given: Record<string, string | undefined>): string[] {
  const addressOf = (name: string) => {
    const text = given[name]
    const url = text !== undefined && URL.canParse(text) ? new URL(text) : null
    return url && !isLoopback(url.hostname) ? url : null
  }
  const mistakes = ['PUBLIC_URL', 'SMS_URL'].flatMap((name) =>
    addressOf(name)?.protocol === 'http:'
      ? [
          `${name} must begin with https:// in live mode, unless it names this machine (localhost, 127.0.0.1).`,
        ]
      : [],
  )
  const smtp = addressOf('SMTP_URL')
  // Drover requires TLS in any case when there is a user and a password.
  const isClear =
    smtp?.protocol === 'smtp:' && !smtp.username && smtp.searchParams.get('requireTLS') !== 'true'
  if (isClear)
    mistakes.push(
      'SMTP_URL must use TLS in live mode: begin it with smtps://, or end smtp:// with ?requireTLS=true (STARTTLS).',
    )
  return mistakes
}

export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback'
}

function testMistakes(given: Record<string, string | undefined>): string[] {
  if (!flag.safeParse(given.DROVER_ALLOW_PRIVATE_WEBHOOKS).data) return []
  return [
    'DROVER_ALLOW_PRIVATE_WEBHOOKS is for tests: it must not be set in live mode or with NODE_ENV=production.',
  ]
}

/** The address of this service unless PUBLIC_URL is set. */
export function servedAt(host: string, port: number): string {
  const anywhere = host === '0.0.0.0' || host === '::'
  const name = anywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** The home's key, created at the first start and kept, so that a later start can decrypt everything. */
function keptSecret(home: string): string {
  const file = join(home, 'secret_key')
  mkdirSync(home, { recursive: true })
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readSecret(file)
}

function keptSecretIfAny(home: string): string {
  try {
    return readSecret(join(home, 'secret_key'))
  } catch (error) {
    if (error instanceof ConfigMistakes) throw error
    return ''
  }
}

function readSecret(file: string): string {
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < SHORTEST_SECRET) {
    throw new ConfigMistakes([`${file} is damaged: restore the key from a backup, or set DROVER_SECRET_KEY.`])
  }
  return secret
}

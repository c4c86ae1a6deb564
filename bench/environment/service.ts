import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { TOKEN_EXAMPLE } from '../../src/http/api/fields/examples.ts'
import type { Pause } from '../pauses/pause-probe.ts'
import { askOnce, stopChild } from './child.ts'
import { freePort } from './free-port.ts'

/** The product as `npm start` runs it, in a separate process. */
export type Service = {
  pid: number
  host: string
  port: number
  /** A bearer token of the demo account. */
  token: string
  /** Sends a request and parses JSON; throws on anything but 2xx. */
  call(line: string, options?: { body?: object; bearer?: string }): Promise<unknown>
  /** The values of one metric by its label of that name. */
  metric(name: string, label: string): Promise<Map<string, number>>
  /** The service's output, if requested: the caller must read it. */
  output: Readable | null
  /** The longest pause of its event loop during `work`; only for a service started with `hasProbe`. */
  longestPause(work: () => Promise<unknown>): Promise<Pause>
  stop(): Promise<void>
}

/**
 * `tracesCollections`: V8 writes a line for each garbage collection, between those of the log. `isBehindProxy`: the
 * client address is the one that the generator forwards. `hasProbe`: the process measures the pauses of its event
 * loop.
 */
type SpawnOptions = {
  tracesCollections?: boolean
  isBehindProxy?: boolean
  hasProbe?: boolean
  /** Further environment variables. */
  env?: Readonly<Record<string, string>>
}

export const HOST = '127.0.0.1'
export const OPERATOR = 'bench-operator'
const PROJECT = new URL('../../', import.meta.url)
const PROBE = new URL('../pauses/service-probe.ts', import.meta.url)
/** The service answers with the same metrics for a second (`src/http/observing/metrics-text.ts`). */
const METRICS_REUSED_MS = 1_050
const START_LIMIT_MS = 30_000
/** More than any caller of the benchmark sends: the limiter runs and never rejects. */
const NO_LIMIT = { requests_per_second: 1_000_000, burst: 1_000_000 }

/** Starts the product in `home`, on the given database or its own, and waits until it is ready. */
export async function startService(
  home: string,
  databaseUrl?: string,
  options: SpawnOptions = {},
): Promise<Service> {
  const port = await freePort()
  const child = spawnService(home, port, databaseUrl, options)
  const service = serviceAt(child, port)
  try {
    service.token = await firstToken(service, child)
    return service
  } catch (error) {
    await service.stop()
    throw error
  }
}

/** Starts the process without waiting for it. Its log is discarded, unless it is requested. */
export function spawnService(
  home: string,
  port: number,
  databaseUrl?: string,
  { tracesCollections = false, isBehindProxy = false, hasProbe = false, env = {} }: SpawnOptions = {},
): ChildProcess {
  const traces = tracesCollections ? ['--trace-gc'] : []
  const probe = hasProbe ? ['--import', PROBE.href] : []
  return spawn(process.execPath, [...traces, ...probe, ...startWords()], {
    cwd: PROJECT,
    env: {
      ...process.env,
      PORT: String(port),
      HOST,
      DROVER_HOME: home,
      DROVER_OPERATOR_TOKEN: OPERATOR,
      LOG_LEVEL: 'info',
      ...(isBehindProxy && { DROVER_TRUSTED_PROXIES: HOST }),
      DATABASE_URL: databaseUrl,
      ...env,
    },
    stdio: [
      'ignore',
      tracesCollections ? 'pipe' : 'ignore',
      'inherit',
      ...(hasProbe ? ['ipc' as const] : []),
    ],
  })
}

/** The arguments after `node` in the project's own start script. */
function startWords(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', PROJECT), 'utf8'))
  const [program, ...words] = scripts.start.split(' ')
  if (program !== 'node') throw new Error(`npm start runs ${program}, not node.`)
  return words
}

/** Raises the demo account's rate limit through the operator's API, with further changes. */
export async function liftLimits(
  service: Service,
  // biome-ignore lint/suspicious/noExplicitAny: a document as untyped JSON.
  changed: (document: any) => object = () => ({}),
): Promise<void> {
  const document = (await service.call('GET /admin/accounts/demo', { bearer: OPERATOR })) as object
  await service.call('PUT /admin/accounts/demo', {
    bearer: OPERATOR,
    body: { ...document, ...changed(document), limits: NO_LIMIT },
  })
}

/** Stores a secret of the demo account, which its document refers to. */
export async function keepSecret(service: Service, name: string, secret: string): Promise<void> {
  await service.call(`PUT /admin/accounts/demo/secrets/${name}`, { bearer: OPERATOR, body: { secret } })
}

function serviceAt(child: ChildProcess, port: number): Service {
  const service: Service = {
    pid: child.pid as number,
    host: HOST,
    port,
    token: '',
    async call(line, { body, bearer } = {}) {
      const [method = '', path] = line.split(' ')
      const response = await fetch(`http://${HOST}:${port}${path}`, {
        method,
        headers: {
          ...((bearer ?? service.token) && { authorization: `Bearer ${bearer ?? service.token}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${line} answered ${response.status}: ${text}`)
      return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
    },
    async metric(name, label) {
      await sleep(METRICS_REUSED_MS)
      const text = String(await service.call('GET /metrics'))
      const lines = text.matchAll(new RegExp(`^${name}\\{.*?${label}="([^"]*)".*?\\} (\\S+)$`, 'gm'))
      return new Map([...lines].map(([, labelled, value]) => [labelled as string, Number(value)]))
    },
    output: child.stdout,
    async longestPause(work) {
      await askOnce(child, 'begin')
      await work()
      return askOnce<Pause>(child, 'end')
    },
    stop: () => stopChild(child),
  }
  return service
}

/** The service listens shortly before its demo accounts exist: the first token proves that both are ready. */
async function firstToken(service: Service, child: ChildProcess): Promise<string> {
  const latestMs = performance.now() + START_LIMIT_MS
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}.`)
    try {
      const answer = await service.call('POST /demo/auth/token', { body: TOKEN_EXAMPLE })
      return (answer as { access_token: string }).access_token
    } catch (error) {
      if (performance.now() > latestMs) throw error
      await sleep(20)
    }
  }
}

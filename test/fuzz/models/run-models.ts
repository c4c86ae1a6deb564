import fc from 'fast-check'
import { setClock } from '../../harness/accounts.ts'
import { type Ask, good, inTurn } from '../../harness/http.ts'
import { roadOrderOf } from '../../harness/orders.ts'
import { until } from '../../wait-until.ts'
import type { SystemUnderTest } from '../system-under-test.ts'
import { COMMANDS, STARTS_MS } from './commands.ts'
import { clear } from './merchant.ts'
import { COURIERS, type Courier, LEAD_MS, type Model, PHONES, type Real, STORES } from './model.ts'

export type ModelOptions = {
  seed: number
  runs: number
  /** Commands in a run, at most. */
  max: number
  /** Details of a run that failed. */
  path?: string
  replayPath?: string
  onProgress?(done: number): void
}

export type ModelResult = { runs: number; commands: number; seconds: number; failure: string | null }

/** Sequences of commands, each compared with a model in memory after every step; the first difference is shrunk. */
export async function runModels(system: SystemUnderTest, options: ModelOptions): Promise<ModelResult> {
  const { seed, runs, max, path, replayPath, onProgress } = options
  const couriers = Object.fromEntries(
    await Promise.all(COURIERS.map(async (courier) => [courier, await logIn(system, PHONES[courier])])),
  ) as Record<Courier, string>
  const beganMs = performance.now()
  let [run, commands] = [0, 0]
  let first: string | null = null
  const sequences = fc.commands(COMMANDS, {
    maxCommands: max,
    size: 'max',
    ...(replayPath === undefined ? {} : { replayPath }),
  })
  const property = fc.asyncProperty(sequences, async (sequence) => {
    run += 1
    const real = realOf(system, couriers, `M${seed}R${run}N`)
    const model: Model = { nowMs: STARTS_MS, deliveries: [], links: [], keyed: [] }
    await real.setClock(STARTS_MS)
    await workerHeard(real, STARTS_MS)
    try {
      await fc.asyncModelRun(() => ({ model, real }), sequence)
      commands += [...sequence].length
      onProgress?.(run)
    } catch (error) {
      first ??= `Run ${run}, before it was shrunk: ${(error as Error).message}`
      throw error
    } finally {
      await clear(model, real)
    }
  })
  const result = await fc.check(property, { seed, numRuns: runs, ...(path === undefined ? {} : { path }) })
  return {
    runs: result.numRuns,
    commands,
    seconds: (performance.now() - beganMs) / 1_000,
    failure: result.failed
      ? `${first}\n${(result.errorInstance as Error).message}\n${fc.defaultReportMessage(result)}`
      : null,
  }
}

/** The API processes in turn. */
function realOf({ apis, operator }: SystemUnderTest, couriers: Record<Courier, string>, name: string): Real {
  const each = inTurn(apis)
  // Retries as the response says: a worker may hold the delivery.
  const ask: Ask = (line, call) =>
    until(async () => {
      const reply = await each(line, call)
      return reply.json?.code === 'booking_in_progress' ? null : reply
    })
  return {
    name,
    ask,
    asCourier: (courier) => (line, call) => ask(line, { token: couriers[courier], ...call }),
    async setClock(nowMs) {
      await setClock(
        (line, call) => ask(line, { ...call, token: operator }),
        'demo',
        () => nowMs,
      )
      // Every process follows a moment later; a request before that would use the old time.
      await Promise.all(apis.map((api) => until(() => followsClock(api, nowMs))))
    },
  }
}

/** Whether this API process has the new clock. */
async function followsClock(api: Ask, nowMs: number): Promise<true | null> {
  const [store] = await good(api('GET /demo/stores'))
  return isNow(store.today.now, nowMs) ? true : null
}

/** Checks when a worker booked: a worker that still has the later clock of the previous run books too early. */
async function workerHeard({ ask, name }: Real, nowMs: number): Promise<void> {
  let tries = 0
  await until(async () => {
    // Not found among the deliveries of this run, whose references begin with its name.
    const reference = `canary ${tries++} before ${name.slice(0, -1)}`
    const body = roadOrderOf(STORES[0], reference, {
      ready_for_pickup_at: new Date(nowMs + LEAD_MS / 2).toISOString(),
    })
    const { id } = await good(ask('POST /demo/deliveries', { body }))
    const bookedAt = await until(
      async () => (await good(ask(`GET /demo/deliveries/${id}`))).booked_at ?? null,
    )
    await good(ask(`PATCH /demo/deliveries/${id}/request-cancel`))
    return isNow(bookedAt, nowMs) ? true : null
  })
}

function isNow(time: string, nowMs: number): boolean {
  const offMs = Date.parse(time) - nowMs
  return offMs >= -1_000 && offMs < 60_000
}

/** Reads the code from the outbox, where a sandbox without a gateway shows it. */
async function logIn({ apis: [ask] }: SystemUnderTest, phone: string): Promise<string> {
  await ask('POST /driver/login', { body: { phone }, token: null })
  const code = await until(async () => {
    const messages = (await good(ask('GET /demo/messages?kind=sms&limit=200'))) as {
      to: string
      text: string
    }[]
    const codes = messages.map(({ to, text }) =>
      to === phone ? (/^(\d{6}) is your/.exec(text)?.[1] ?? null) : null,
    )
    return codes.find(Boolean) ?? null
  })
  const { token } = await good(ask('POST /driver/verify', { body: { phone, code }, token: null }))
  return token
}

import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from './clock.ts'
import type { FakeAnswer, FakeCarrier, FakeRequest, FakeRoute } from './fake.ts'
import type { Fault, FaultInjector } from './faults.ts'
import type { Ledger } from './ledger.ts'

/** Null closes the connection without a response. */
export type Answering = (request: FakeRequest) => Promise<FakeAnswer | null>

type State = {
  carrier: FakeCarrier
  clock: Clock
  ledger: Ledger
  faults: FaultInjector
  controls: readonly FakeRoute[]
}

/** The operation's name for a request that no route takes. */
export const UNKNOWN_PATH = 'unknown_path'

const FAULTY: FakeAnswer = { status: 500, body: { error: 'The fake itself failed: see its standard error.' } }

/**
 * One exchange: controls first, then the carrier with any fault that applies. The ledger records each
 * exchange of the carrier.
 */
export function answerWith({ carrier, clock, ledger, faults, controls }: State): Answering {
  return async (request) => {
    const control = findRoute(controls, request)
    if (control) {
      const { route, params } = control
      return answered(() => route.answer({ ...request, params })).catch(internalError)
    }

    const arrived = new Date(clock.nowMs()).toISOString()
    const caller = carrier.callerOf?.(request) ?? null
    const found = findRoute(carrier.routes, request)
    const operation = found?.route.name ?? UNKNOWN_PATH
    const struck = faults.strike(operation)
    const answer = await disturbed(struck, async () => {
      await carrier.catchUp?.()
      const refused = carrier.admit?.(request)
      if (refused) return refused
      return found ? found.route.answer({ ...request, params: found.params }) : carrier.unknownPath(request)
    })
    ledger.write('request', {
      operation,
      method: request.method,
      path: request.path,
      ...(request.query.size > 0 ? { query: request.query.toString() } : {}),
      ...(caller ? { caller } : {}),
      arrived,
      status: answer?.status ?? null,
      ...(struck.length > 0 ? { faults: struck.map(({ kind }) => kind) } : {}),
    })
    return answer

    async function disturbed(
      strikes: readonly Fault[],
      work: () => Promise<FakeAnswer>,
    ): Promise<FakeAnswer | null> {
      const [fault, ...others] = strikes
      if (!fault) return work().catch(internalError)
      switch (fault.kind) {
        case 'status':
          return carrier.failure(fault.status)
        case 'cut':
          return null
        case 'slow':
          await wait(fault.ms, undefined, { ref: false })
          return disturbed(others, work)
        case 'slow_answer': {
          const answer = await disturbed(others, work)
          await wait(fault.ms, undefined, { ref: false })
          return answer
        }
        case 'lost':
          await disturbed(others, work)
          return null
        case 'failed_answer':
          await disturbed(others, work)
          return carrier.internalFailure(fault.status)
        case 'garbled':
          return garbled(await disturbed(others, work))
        case 'empty': {
          const answer = await disturbed(others, work)
          return (answer && found?.route.emptied?.(request, answer)) ?? answer
        }
      }
    }
  }
}

/** An exception while answering is a rejected promise like any other. */
async function answered(answer: () => FakeAnswer | Promise<FakeAnswer>): Promise<FakeAnswer> {
  return answer()
}

function garbled(answer: FakeAnswer | null): FakeAnswer | null {
  if (!answer) return null
  const text = JSON.stringify(answer.body ?? {})
  return { ...answer, body: text.slice(0, Math.ceil(text.length / 2)) }
}

function internalError(error: unknown): FakeAnswer {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return FAULTY
}

type Target = { method: string; path: string }

/** The first route that matches, with its `:names` decoded; null when no route matches. */
function findRoute<R extends Pick<FakeRoute, 'method' | 'path'>>(
  routes: readonly R[],
  { method, path }: Target,
): { route: R; params: Record<string, string> } | null {
  const parts = path.split('/')
  for (const route of routes) {
    const params = route.method === method ? match(route.path.split('/'), parts) : null
    if (params) return { route, params }
  }
  return null
}

function match(pattern: readonly string[], parts: readonly string[]): Record<string, string> | null {
  if (pattern.length !== parts.length) return null
  const params: Record<string, string> = {}
  for (const [index, segment] of pattern.entries()) {
    const part = parts[index] ?? ''
    if (!segment.startsWith(':')) {
      if (segment !== part) return null
      continue
    }
    if (part === '') return null
    params[segment.slice(1)] = decoded(part)
  }
  return params
}

/** A segment with invalid percent-encoding is used unchanged: it will be unknown. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

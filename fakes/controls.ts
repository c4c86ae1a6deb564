import { z } from 'zod'
import type { Clock } from './clock.ts'
import type { FakeAnswer, FakeCarrier, FakeRequest, FakeRoute } from './fake.ts'
import type { FaultInjector } from './faults.ts'
import { bodyOf } from './input.ts'
import type { Ledger } from './ledger.ts'

const ADVANCE = z.union([
  z.strictObject({ seconds: z.number().positive() }),
  z.strictObject({ minutes: z.number().positive() }),
  z.strictObject({ hours: z.number().positive() }),
  z.strictObject({ days: z.number().positive() }),
  z.strictObject({ to: z.iso.datetime({ offset: true }) }),
])

const MS = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const

type State = { carrier: FakeCarrier; clock: Clock; ledger: Ledger; faults: FaultInjector }

/** The controls that every fake has under `/_fake/`, for tests and for people with curl; then the carrier's own. */
export function controlsOf({ carrier, clock, ledger, faults }: State): FakeRoute[] {
  return [
    control('GET', '/_fake/clock', () => ({ status: 200, body: { now: iso(clock) } })),
    control('POST', '/_fake/advance', async (request) => {
      const asked = bodyOf(request, ADVANCE)
      if (!asked.ok) return asked.answer
      clock.advance(msOf(asked.value, clock))
      await carrier.catchUp?.()
      await carrier.settled?.()
      return { status: 200, body: { now: iso(clock) } }
    }),
    control('GET', '/_fake/ledger', ({ query }) => {
      const what = query.get('what')
      const after = Number(query.get('after') ?? 0)
      return { status: 200, body: { entries: ledger.entries({ after, ...(what ? { what } : {}) }) } }
    }),
    control('GET', '/_fake/faults', () => ({ status: 200, body: { faults: faults.list() } })),
    control('POST', '/_fake/faults', (request) => {
      const asked = bodyOf(request, faults.schema)
      return asked.ok ? { status: 201, body: faults.add(asked.value) } : asked.answer
    }),
    control('DELETE', '/_fake/faults', () => {
      faults.clear()
      return { status: 204 }
    }),
    control('DELETE', '/_fake/faults/:id', ({ params }) => ({
      status: faults.remove(Number(params.id)) ? 204 : 404,
    })),
    ...(carrier.controls ?? []),
  ]
}

function control(
  method: FakeRoute['method'],
  path: string,
  answer: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>,
): FakeRoute {
  return { name: 'control', method, path, answer }
}

function msOf(asked: z.infer<typeof ADVANCE>, clock: Clock): number {
  if ('to' in asked) return Date.parse(asked.to) - clock.nowMs()
  return Object.entries(asked).reduce((sum, [unit, count]) => sum + count * MS[unit as keyof typeof MS], 0)
}

function iso(clock: Clock): string {
  return new Date(clock.nowMs()).toISOString()
}

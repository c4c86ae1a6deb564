import fc from 'fast-check'
import { STEPS, step } from './courier.ts'
import { bookByLink, makeLink, revoke, verify } from './customer.ts'
import { amend, assign, book, cancel, comeAgain, create, handOver, list } from './merchant.ts'
import { COURIERS, type Kept, type KeptLink, type Model, OWN_STORE, type Real, STORES } from './model.ts'
import { compare, passTime } from './settle.ts'

type Command = fc.AsyncCommand<Model, Real>
type Act<T> = (model: Model, real: Real, wish: T) => Promise<void>

/** Few orders, so that commands collide; a run stays within a day, before any delivery is delivered. */
const ORDERS = 5
const MAX_MS = 3 * 3_600_000
const MINUTE_MS = 60_000

const any = fc.nat({ max: 1_000 })
const store = fc.constantFrom(...STORES)
const number = fc.nat({ max: ORDERS - 1 })
const creation = fc
  .record({
    ...{ store, number, now: fc.boolean(), keyed: fc.boolean() },
    kind: fc.constantFrom('carrier', 'carrier', 'pickup', 'own'),
    minutes: fc.constantFrom(30, 90, 240),
  } as const)
  .map((wish) => (wish.kind === 'own' ? { ...wish, store: OWN_STORE } : wish))

/** Every command that may come at any moment, by weight. */
export const COMMANDS: fc.Arbitrary<Command>[] = [
  ...twice(command('create', creation, create)),
  ...twice(command('create', creation, create)),
  command('retry', fc.record({ at: any, other: fc.boolean() }), (model, real, { at, other }) =>
    comeAgain(model, real, at, other),
  ),
  ofDelivery('book', fc.constant(null), book),
  ...twice(ofDelivery('cancel', fc.constant(null), cancel)),
  ofDelivery('amend', fc.constantFrom('Ring.', 'Knock.'), amend),
  ofDelivery('assign', fc.constantFrom(...COURIERS), async (model, real, kept, courier) =>
    kept.store === OWN_STORE ? assign(model, real, kept, courier) : undefined,
  ),
  ...twice(
    ofDelivery(
      'step',
      fc.record({
        what: fc.constantFrom(...STEPS),
        courier: fc.constantFrom('his', 'his', ...COURIERS),
      } as const),
      (model, real, kept, { what, courier }) =>
        step(model, real, kept, what, courier === 'his' ? kept.courier : courier),
    ),
  ),
  command('hand over', store, handOver),
  command('list', fc.record({ store, limit: fc.integer({ min: 1, max: 4 }) }), (model, real, wish) =>
    list(model, real, wish.store, wish.limit),
  ),
  // No sum of these is 15 minutes, after which an offer expires: the clock runs on meanwhile.
  command('clock', fc.constantFrom(6, 20, 60), async (model, real, minutes) => {
    if (model.nowMs + minutes * MINUTE_MS > STARTS_MS + MAX_MS) return
    model.nowMs += minutes * MINUTE_MS
    await real.setClock(model.nowMs)
    passTime(model)
  }),
  command('make a link', fc.record({ store, number }), (model, real, wish) =>
    makeLink(model, real, wish.store, wish.number),
  ),
  ofLink('verify', fc.constantFrom(true, true, false), verify),
  ...twice(ofLink('book by link', fc.constant(null), bookByLink)),
  ofLink('revoke', fc.constant(null), revoke),
]

/** A Tuesday, ten o'clock. */
export const STARTS_MS = Date.parse('2026-11-24T10:00:00+11:00')

/** Runs a command, then compares the whole model with the service. */
function command<T>(name: string, wishes: fc.Arbitrary<T>, act: Act<T>): fc.Arbitrary<Command> {
  return wishes.map((wish) => ({
    check: () => true,
    async run(model, real) {
      await act(model, real, wish)
      await compare(model, real)
    },
    toString: () => `${name} ${JSON.stringify(wish)}`,
  }))
}

function ofDelivery<T>(
  name: string,
  wishes: fc.Arbitrary<T>,
  act: (model: Model, real: Real, kept: Kept, wish: T) => Promise<void>,
): fc.Arbitrary<Command> {
  return command(name, fc.record({ at: any, wish: wishes }), async (model, real, { at, wish }) => {
    const kept = model.deliveries[at % model.deliveries.length]
    if (kept) await act(model, real, kept, wish)
  })
}

function ofLink<T>(
  name: string,
  wishes: fc.Arbitrary<T>,
  act: (model: Model, real: Real, link: KeptLink, wish: T) => Promise<void>,
): fc.Arbitrary<Command> {
  return command(name, fc.record({ at: any, wish: wishes }), async (model, real, { at, wish }) => {
    const link = model.links[at % model.links.length]
    if (link) await act(model, real, link, wish)
  })
}

function twice<T>(one: T): [T, T] {
  return [one, one]
}

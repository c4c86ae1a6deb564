import fc from 'fast-check'
import { STEPS, step } from './courier.ts'
import { bookByLink, makeLink, revoke, verify } from './customer.ts'
import { amend, assign, book, cancel, comeAgain, create, handOver, list } from './merchant.ts'
import {
  COURIERS,
  type Model,
  type ModelDelivery,
  type ModelLink,
  OWN_STORE,
  type Real,
  STORES,
} from './model.ts'
import { compare, passTime } from './settle.ts'

type Command = fc.AsyncCommand<Model, Real>
type Act<T> = (model: Model, real: Real, input: T) => Promise<void>

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
  .map((input) => (input.kind === 'own' ? { ...input, store: OWN_STORE } : input))

/** Every command that may run at any moment, by weight. */
export const COMMANDS: fc.Arbitrary<Command>[] = [
  ...twice(command('create', creation, create)),
  ...twice(command('create', creation, create)),
  command('retry', fc.record({ at: any, other: fc.boolean() }), (model, real, { at, other }) =>
    comeAgain(model, real, at, other),
  ),
  ofDelivery('book', fc.constant(null), book),
  ...twice(ofDelivery('cancel', fc.constant(null), cancel)),
  ofDelivery('amend', fc.constantFrom('Ring.', 'Knock.'), amend),
  ofDelivery('assign', fc.constantFrom(...COURIERS), async (model, real, delivery, courier) =>
    delivery.store === OWN_STORE ? assign(model, real, delivery, courier) : undefined,
  ),
  ...twice(
    ofDelivery(
      'step',
      fc.record({
        what: fc.constantFrom(...STEPS),
        courier: fc.constantFrom('own', 'own', ...COURIERS),
      } as const),
      (model, real, delivery, { what, courier }) =>
        step(model, real, delivery, what, courier === 'own' ? delivery.courier : courier),
    ),
  ),
  command('hand over', store, handOver),
  command('list', fc.record({ store, limit: fc.integer({ min: 1, max: 4 }) }), (model, real, input) =>
    list(model, real, input.store, input.limit),
  ),
  // No sum of these is 15 minutes, after which an offer expires: the clock also runs by itself.
  command('clock', fc.constantFrom(6, 20, 60), async (model, real, minutes) => {
    if (model.nowMs + minutes * MINUTE_MS > STARTS_MS + MAX_MS) return
    model.nowMs += minutes * MINUTE_MS
    await real.setClock(model.nowMs)
    passTime(model)
  }),
  command('make a link', fc.record({ store, number }), (model, real, input) =>
    makeLink(model, real, input.store, input.number),
  ),
  ofLink('verify', fc.constantFrom(true, true, false), verify),
  ...twice(ofLink('book by link', fc.constant(null), bookByLink)),
  ofLink('revoke', fc.constant(null), revoke),
]

/** A Tuesday, ten o'clock. */
export const STARTS_MS = Date.parse('2026-11-24T10:00:00+11:00')

/** Runs a command, then compares the whole model with the service. */
function command<T>(name: string, inputs: fc.Arbitrary<T>, act: Act<T>): fc.Arbitrary<Command> {
  return inputs.map((input) => ({
    check: () => true,
    async run(model, real) {
      await act(model, real, input)
      await compare(model, real)
    },
    toString: () => `${name} ${JSON.stringify(input)}`,
  }))
}

function ofDelivery<T>(
  name: string,
  inputs: fc.Arbitrary<T>,
  act: (model: Model, real: Real, delivery: ModelDelivery, input: T) => Promise<void>,
): fc.Arbitrary<Command> {
  return command(name, fc.record({ at: any, input: inputs }), async (model, real, { at, input }) => {
    const delivery = model.deliveries[at % model.deliveries.length]
    if (delivery) await act(model, real, delivery, input)
  })
}

function ofLink<T>(
  name: string,
  inputs: fc.Arbitrary<T>,
  act: (model: Model, real: Real, link: ModelLink, input: T) => Promise<void>,
): fc.Arbitrary<Command> {
  return command(name, fc.record({ at: any, input: inputs }), async (model, real, { at, input }) => {
    const link = model.links[at % model.links.length]
    if (link) await act(model, real, link, input)
  })
}

function twice<T>(one: T): [T, T] {
  return [one, one]
}

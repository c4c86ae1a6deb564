import { z } from 'zod'
import { controlRoute } from './control-route.ts'
import type { FakeRoute } from './fake.ts'

/**
 * How a delivery ends. `undeliverable`: nobody accepts it at the address. `courier_cancels`: before the
 * pickup; `courier_loses`: after it, and the parcel never returns.
 */
export const FATES = ['delivered', 'undeliverable', 'courier_cancels', 'courier_loses'] as const
export type Fate = (typeof FATES)[number]

/** The simulated couriers: how busy they are, and how their deliveries end. */
export type Couriers = {
  /** Null while some couriers are free; otherwise the carrier's message when all are busy. */
  busy: string | null
  /** The scenario set for the first of these names that has one; `*` is for all. */
  fateOf(names: readonly (string | undefined)[]): Fate
  controls: readonly FakeRoute[]
}

/**
 * `POST /_fake/couriers { free }` and `POST /_fake/fates { reference, fate }`. `busySays`: the first is the
 * default.
 */
export function couriers(busySays: readonly [string, ...string[]]): Couriers {
  const fates = new Map<string, Fate>()
  const COURIERS = z.union([
    z.strictObject({ free: z.literal(true) }),
    z.strictObject({ free: z.literal(false), says: z.enum(busySays).default(busySays[0]) }),
  ])
  const FATE = z.strictObject({ reference: z.string().min(1), fate: z.enum(FATES) })
  const couriersState: Couriers = {
    busy: null,
    fateOf(names) {
      const name = names.find((one) => one !== undefined && fates.has(one))
      return fates.get(name ?? '*') ?? 'delivered'
    },
    controls: [
      controlRoute('/_fake/couriers', COURIERS, (asked) => {
        couriersState.busy = asked.free ? null : asked.says
      }),
      controlRoute('/_fake/fates', FATE, ({ reference, fate }) => {
        fates.set(reference, fate)
      }),
    ],
  }
  return couriersState
}

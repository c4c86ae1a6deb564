import { z } from 'zod'
import type { FakeRoute } from './fake.ts'
import { knob } from './knob.ts'

/**
 * How a delivery ends. `undeliverable`: nobody takes it at the door. `courier_cancels`: before the pickup;
 * `courier_loses`: after it, and nothing comes back.
 */
export const FATES = ['delivered', 'undeliverable', 'courier_cancels', 'courier_loses'] as const
export type Fate = (typeof FATES)[number]

/** The people on the road: how busy they are, and what becomes of what they carry. */
export type Couriers = {
  /** Null while some are free; otherwise how the carrier says that none is. */
  busy: string | null
  /** Of the first of these names that one was asked for; `*` stands for all. */
  fateOf(names: readonly (string | undefined)[]): Fate
  controls: readonly FakeRoute[]
}

/** `POST /_fake/couriers { free }` and `POST /_fake/fates { reference, fate }`. `busySays`: the first is the usual. */
export function couriers(busySays: readonly [string, ...string[]]): Couriers {
  const fates = new Map<string, Fate>()
  const COURIERS = z.union([
    z.strictObject({ free: z.literal(true) }),
    z.strictObject({ free: z.literal(false), says: z.enum(busySays).default(busySays[0]) }),
  ])
  const FATE = z.strictObject({ reference: z.string().min(1), fate: z.enum(FATES) })
  const desk: Couriers = {
    busy: null,
    fateOf(names) {
      const name = names.find((one) => one !== undefined && fates.has(one))
      return fates.get(name ?? '*') ?? 'delivered'
    },
    controls: [
      knob('/_fake/couriers', COURIERS, (asked) => {
        desk.busy = asked.free ? null : asked.says
      }),
      knob('/_fake/fates', FATE, ({ reference, fate }) => {
        fates.set(reference, fate)
      }),
    ],
  }
  return desk
}

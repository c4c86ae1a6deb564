import { z } from 'zod'
import type { FakeRoute } from '../fake.ts'
import { knob } from '../knob.ts'

/**
 * What a repeated idempotency key gets: 409 `duplicate_delivery`, or the delivery it made. `made_again` is a carrier
 * that has forgotten its keys, for seeing whether whoever counts bookings notices.
 */
const REPEATS = ['refused', 'replayed', 'made_again'] as const
export type Repeats = (typeof REPEATS)[number]

const Asked = z.strictObject({ repeats: z.enum(REPEATS) })

/** `POST /_fake/repeats { repeats }`. */
export function repeatsControl(world: { repeats: Repeats }): FakeRoute {
  return knob('/_fake/repeats', Asked, ({ repeats }) => {
    world.repeats = repeats
  })
}

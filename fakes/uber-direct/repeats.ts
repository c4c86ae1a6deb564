import { z } from 'zod'
import { controlRoute } from '../control-route.ts'
import type { FakeRoute } from '../fake.ts'

/**
 * Idempotency key: the response to a repeated key, 409 `duplicate_delivery` or the delivery that it created.
 * `made_again` is a carrier that has forgotten its keys, to test that a check which counts bookings notices.
 */
const REPEATS = ['refused', 'replayed', 'made_again'] as const
export type Repeats = (typeof REPEATS)[number]

const Asked = z.strictObject({ repeats: z.enum(REPEATS) })

/** `POST /_fake/repeats { repeats }`. */
export function repeatsControl(state: { repeats: Repeats }): FakeRoute {
  return controlRoute('/_fake/repeats', Asked, ({ repeats }) => {
    state.repeats = repeats
  })
}

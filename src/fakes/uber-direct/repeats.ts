import { z } from 'zod'
import type { FakeRoute } from '../fake.ts'
import { bodyOf } from '../input.ts'

/**
 * What a repeated idempotency key gets: 409 `duplicate_delivery`, or the delivery it made. `made_again` is a carrier
 * that has forgotten its keys, for seeing whether whoever counts bookings notices.
 */
const REPEATS = ['refused', 'replayed', 'made_again'] as const
export type Repeats = (typeof REPEATS)[number]

const Asked = z.strictObject({ repeats: z.enum(REPEATS) })

/** `POST /_fake/repeats { repeats }`. */
export function repeatsControl(world: { repeats: Repeats }): FakeRoute {
  return {
    name: 'control',
    method: 'POST',
    path: '/_fake/repeats',
    answer(request) {
      const asked = bodyOf(request, Asked)
      if (!asked.ok) return asked.answer
      world.repeats = asked.value.repeats
      return { status: 201, body: asked.value }
    },
  }
}

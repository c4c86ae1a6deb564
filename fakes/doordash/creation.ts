import { z } from 'zod'
import { controlRoute } from '../control-route.ts'
import type { FakeRoute } from '../fake.ts'
import type { Delivery } from './delivery.ts'
import type { NotCancellable } from './errors.ts'
import type { DoorDashState } from './state.ts'

const Creation = z.strictObject({ seconds: z.number().min(0).max(3_600) })

/** `POST /_fake/creation {"seconds":20}`: a new delivery is still being created for this long. */
export function creationControl(state: DoorDashState): FakeRoute {
  return controlRoute('/_fake/creation', Creation, ({ seconds }) => {
    state.creationMs = seconds * 1_000
    return undefined
  })
}

/** Why a delivery cannot be cancelled yet: it is being created, or an earlier request already got that response. */
export function whyTooSoon(state: DoorDashState, delivery: Delivery, nowMs: number): NotCancellable | null {
  const isBeingCreated = delivery.status === 'created' && nowMs < delivery.createdMs + state.creationMs
  if (!isBeingCreated) return null
  if (state.askedTooSoon.has(delivery.id)) return 'duplicate_request'
  state.askedTooSoon.add(delivery.id)
  return 'delivery_creation_in_progress'
}

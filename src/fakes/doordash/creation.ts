import { z } from 'zod'
import type { FakeRoute } from '../fake.ts'
import { knob } from '../knob.ts'
import type { Delivery } from './delivery.ts'
import type { NotCancellable } from './errors.ts'
import type { DoorDashWorld } from './world.ts'

const Creation = z.strictObject({ seconds: z.number().min(0).max(3_600) })

/** `POST /_fake/creation {"seconds":20}`: a new delivery is still being created for this long. */
export function creationControl(world: DoorDashWorld): FakeRoute {
  return knob('/_fake/creation', Creation, ({ seconds }) => {
    world.creationMs = seconds * 1_000
    return undefined
  })
}

/** Why a delivery cannot be cancelled yet: it is being created, or an earlier request already got that response. */
export function whyTooSoon(world: DoorDashWorld, delivery: Delivery, nowMs: number): NotCancellable | null {
  const isBeingCreated = delivery.status === 'created' && nowMs < delivery.createdMs + world.creationMs
  if (!isBeingCreated) return null
  if (world.askedTooSoon.has(delivery.id)) return 'duplicate_request'
  world.askedTooSoon.add(delivery.id)
  return 'delivery_creation_in_progress'
}

import { setTimeout as sleep } from 'node:timers/promises'
import { copyDelivery, type Original } from '../environment/copies.ts'
import type { Environment } from '../environment/environment.ts'
import { deliveryBody } from './delivery.ts'
import { atMost, type Figure } from './figure.ts'
import { bySizes, growthFigure } from './growth-figure.ts'

const SIZES = [100, 1_000, 10_000]
const QUICK_SIZES = [100, 1_000]
const LOOK_EVERY_MS = 100
const STORE = 'fitzroy'

let copied = 0

/**
 * The time from the request for a store's manifest to its carrier's order, by the number of booked deliveries that wait.
 */
export async function manifestGrowth(environment: Environment): Promise<Figure> {
  const { service, database, plan } = environment
  const sizes = plan.isQuick ? QUICK_SIZES : SIZES
  const ms = async (size: number): Promise<number> => {
    const original = await aBooking(service)
    await copyDelivery(database.url, original, { from: copied + 1, to: copied + size - 1 })
    copied += size
    return manifestMs(service, size)
  }
  await ms(sizes[0] as number)
  const rounds = await bySizes(sizes, plan.rounds, ms)
  return growthFigure(
    'manifest, growth with deliveries',
    atMost(1.1, 1),
    rounds,
    (one) => `${one.toFixed(0)} ms`,
  )
}

async function aBooking(service: Environment['service']): Promise<Original> {
  const reference = `BOOKED-${copied}-${'0'.repeat(10)}`
  const body = { ...deliveryBody(reference), store_reference: STORE, book_delivery_now: true }
  const { data } = (await service.call('POST /demo/deliveries', { body })) as {
    data: { id: string; consignment_number: string | null }
  }
  if (!data.consignment_number) throw new Error(`The delivery was not booked: ${JSON.stringify(data)}`)
  return { deliveryId: data.id, reference, consignmentNumber: data.consignment_number }
}

type Manifest = { id: string; status: string; counts: { deliveries: number } }

async function manifestMs(service: Environment['service'], size: number): Promise<number> {
  const beganMs = performance.now()
  const made = (await service.call('POST /demo/store-manifests', {
    body: { store_reference: STORE, create_manifest_now: true },
  })) as { data: Manifest[] }
  let [manifest] = made.data
  while (manifest?.status === 'submitting') {
    await sleep(LOOK_EVERY_MS)
    const answer = (await service.call(`GET /demo/manifests/${manifest.id}`)) as { data: Manifest }
    manifest = answer.data
  }
  if (manifest?.status !== 'submitted' || manifest.counts.deliveries !== size)
    throw new Error(`Not a manifest of ${size}: ${JSON.stringify(made).slice(0, 2_000)}`)
  return performance.now() - beganMs
}

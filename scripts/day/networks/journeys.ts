import type { FakeEntry } from '../../../test/fake-process.ts'
import type { Fleet } from './fleet.ts'
import type { NetworkJob } from './jobs.ts'
import type { Journey } from './kinds.ts'

const FATES: ReadonlySet<Journey> = new Set(['undeliverable', 'courier_cancels'])

/** Simulated courier staff: they handle each parcel as its job prescribes. */
export function simulateJourneys(
  { ledgers, networks: { auspost, uber_direct: uberDirect, doordash } }: Fleet,
  jobs: readonly NetworkJob[],
) {
  const journeyOf = journeysOf(jobs)
  let read = 0
  return {
    /** For a delivery that a courier will accept at once; `id` is undefined if it was refused. */
    async decideFate({ reference, journey: fate }: NetworkJob, id: string | undefined): Promise<void> {
      if (!FATES.has(fate) || id === undefined) return
      await uberDirect.control('POST', '/fates', { reference, fate })
      // The courier knows the delivery only by our first key.
      await doordash.control('POST', '/fates', { reference: `${id}-1`, fate })
    },

    /** For bookings with Australia Post and StarTrack since the last call. */
    async decideJourneys(): Promise<void> {
      const entries = (await ledgers()).auspost
      const deleted = new Set(entriesOf(entries, 'shipment_deleted').map(({ shipment_id }) => shipment_id))
      for (const { shipment_id, sender_references } of entriesOf(entries.slice(read), 'shipment_created')) {
        const journey = journeyOf.get(sender_references[1]) ?? 'delivered'
        if (journey === 'delivered' || deleted.has(shipment_id)) continue
        await auspost.control('POST', `/shipments/${shipment_id}`, { journey })
      }
      read = entries.length
    },
  }
}

/** Parcels that nobody accepted return: adds their last scan, which no journey of the fake has. */
export async function bringRefusedBack(
  { ledgers, networks: { auspost } }: Fleet,
  jobs: readonly NetworkJob[],
): Promise<void> {
  const journeyOf = journeysOf(jobs)
  for (const { shipments } of entriesOf((await ledgers()).auspost, 'order_created')) {
    for (const { sender_references, article_ids } of shipments as FakeEntry[]) {
      if (journeyOf.get(sender_references[1]) !== 'refused') continue
      for (const id of article_ids) {
        await auspost.control('POST', `/articles/${id}/scans`, { description: 'Returned to sender' })
      }
    }
  }
}

function entriesOf(entries: readonly FakeEntry[], what: string): FakeEntry[] {
  return entries.filter((entry) => entry.what === what)
}

function journeysOf(jobs: readonly NetworkJob[]): ReadonlyMap<string, Journey> {
  return new Map(jobs.map(({ reference, journey }) => [reference, journey]))
}

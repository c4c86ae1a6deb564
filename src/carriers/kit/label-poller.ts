import type { LabelFormat, Outcome } from '../port/carrier.ts'
import { noSuchBooking, retryLater, yes } from '../port/outcome.ts'
import type { CarrierResponse } from '../port/send.ts'

/** Labels that we requested from a carrier: at `url` once they are ready. */
export type LabelRequest = { requestId: string; url: string | null; failed: boolean }

/** `What`: how a request names the shipments whose labels it wants. */
export type LabelMaker<What> = {
  /** Whether a request can name the shipments of this booking. */
  acceptsRef(ref: string): boolean
  whole(ref: string): What
  /** The same shipments over several requests, for a booking with too many labels for one request. */
  slices(ref: string): Promise<Outcome<readonly What[]>>
  /**
   * `waits`: the carrier may hold its answer until the labels are ready. Null: too many labels for one
   * request.
   */
  request(what: What, format: LabelFormat, waits: boolean): Promise<Outcome<LabelRequest | null>>
  look(requestId: string): Promise<Outcome<LabelRequest | null>>
  download(url: string): Promise<CarrierResponse>
}

const MAX_REMEMBERED = 1_000

/**
 * Polls for labels of a carrier that makes them asynchronously: requests them once, then downloads them from
 * their URL. A pending request is remembered, so another call doesn't start a second one. After a request
 * outlasts our time-out, the next one doesn't wait for the labels. Too many labels for one request are
 * requested in slices and joined into one document.
 */
export function labelPoller<What>({ acceptsRef, whole, slices, request, look, download }: LabelMaker<What>) {
  const requests = new Map<string, string>()
  const slow = new Set<string>()
  const sliced = new Map<string, readonly What[]>()

  return async (ref: string, format: LabelFormat): Promise<Outcome<Buffer>> => {
    if (!acceptsRef(ref)) return noSuchBooking
    const key = `${format} ${ref}`
    const known = sliced.get(key)
    if (known) return inSlices(key, known, format)
    const document = await fetchOne(key, whole(ref), format)
    if (document !== null) return document
    const found = await slices(ref)
    if (found.kind !== 'yes') return found
    // PDF slices can't be joined by concatenation.
    if (format !== 'zpl') return retryLater('it has too many labels for one document')
    sliced.set(key, found.value)
    purgeOldest(sliced)
    return inSlices(key, found.value, format)
  }

  async function inSlices(
    key: string,
    parts: readonly What[],
    format: LabelFormat,
  ): Promise<Outcome<Buffer>> {
    const documents: Buffer[] = []
    for (const [index, part] of parts.entries()) {
      const document = await fetchOne(`${key} ${index}`, part, format)
      if (document?.kind !== 'yes') return document ?? retryLater('it has too many labels for one request')
      documents.push(document.value)
    }
    return yes(Buffer.concat(documents))
  }

  /** Null: too many labels for one request. */
  async function fetchOne(key: string, what: What, format: LabelFormat): Promise<Outcome<Buffer> | null> {
    const known = requests.get(key)
    const outcome = known ? await look(known) : await request(what, format, !slow.has(key))
    if (outcome.kind === 'unknown') slow.add(key)
    else slow.delete(key)
    purgeOldest(slow)
    if (outcome.kind !== 'yes' || outcome.value === null || outcome.value.failed) {
      requests.delete(key)
      if (outcome.kind !== 'yes') return outcome
      return outcome.value && retryLater('its labels could not be made')
    }
    const { requestId, url } = outcome.value
    requests.set(key, requestId)
    purgeOldest(requests)
    return url === null ? retryLater('its labels are still being made') : wholeOf(await download(url), format)
  }
}

function purgeOldest(cache: Map<string, unknown> | Set<string>): void {
  for (const oldest of cache.keys()) {
    if (cache.size <= MAX_REMEMBERED) break
    cache.delete(oldest)
  }
}

/**
 * Reads a downloaded label. The next fetch gets a fresh link if this one has expired. Half a document doesn't
 * count.
 */
function wholeOf(response: CarrierResponse, format: LabelFormat): Outcome<Buffer> {
  if (response.kind !== 'answered') return retryLater(response.message)
  if (response.status !== 200 || !Buffer.isBuffer(response.body)) {
    return retryLater(`the link to its labels returned status ${response.status}`)
  }
  return isWhole(response.body, format) ? yes(response.body) : retryLater('its labels are incomplete')
}

/** Whether the bytes start and end as a complete document does. */
export function isWhole(bytes: Buffer, format: LabelFormat): boolean {
  const [begins, ends] = format === 'pdf' ? ['%PDF-', '%%EOF'] : ['^XA', '^XZ']
  const tail = bytes.subarray(-1_024).toString('latin1').trimEnd()
  return bytes.subarray(0, 1_024).toString('latin1').trimStart().startsWith(begins) && tail.endsWith(ends)
}

/** The shipments whose labels are requested, and which items of each; absent: all items. */
type LabelledShipment = { shipment_id: string; items?: readonly { item_id: string }[] }
export type LabelSlice = readonly LabelledShipment[]

type Listed = { shipments: readonly Required<LabelledShipment>[] }

/** The items of listed shipments, in order, at most `max` in each slice. */
export function labelSlices(max: number) {
  return ({ shipments }: Listed): LabelSlice[] => {
    const items = shipments.flatMap(({ shipment_id, items }) => items.map((item) => ({ shipment_id, item })))
    return Array.from({ length: Math.ceil(items.length / max) }, (_, part) => {
      const own = Map.groupBy(items.slice(part * max, (part + 1) * max), ({ shipment_id }) => shipment_id)
      return [...own].map(([shipment_id, each]) => ({ shipment_id, items: each.map(({ item }) => item) }))
    })
  }
}

import type { LabelFormat, Outcome } from './carrier.ts'
import { later, yes } from './outcome.ts'
import type { CarrierResponse } from './send.ts'

/** Labels that a carrier was asked for: lying at `url` once they are made. */
export type LabelRequest = { requestId: string; url: string | null; failed: boolean }

export type LabelMaker = {
  /** `waits`: its answer may wait until they are made. */
  request(ref: string, format: LabelFormat, waits: boolean): Promise<Outcome<LabelRequest>>
  look(requestId: string): Promise<Outcome<LabelRequest>>
  download(url: string): Promise<CarrierResponse>
}

const MOST_REMEMBERED = 1_000

/**
 * Labels of a carrier that makes them in its own time: asked for once, then fetched from where they lie. A request
 * that is still being worked on is remembered, so that asking again does not make another. What took longer than we
 * wait is not waited for the next time.
 */
export function labelDesk({ request, look, download }: LabelMaker) {
  const requests = new Map<string, string>()
  const slow = new Set<string>()

  return async (ref: string, format: LabelFormat): Promise<Outcome<Buffer>> => {
    const key = `${format} ${ref}`
    const known = requests.get(key)
    const asked = known ? await look(known) : await request(ref, format, !slow.has(key))
    if (asked.kind === 'unknown') slow.add(key)
    else slow.delete(key)
    forgetOldest(slow)
    if (asked.kind !== 'yes' || asked.value.failed) {
      requests.delete(key)
      return asked.kind === 'yes' ? later('its labels could not be made') : asked
    }
    const { requestId, url } = asked.value
    requests.set(key, requestId)
    forgetOldest(requests)
    return url === null ? later('its labels are still being made') : wholeOf(await download(url), format)
  }
}

function forgetOldest(kept: Map<string, unknown> | Set<string>): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_REMEMBERED) break
    kept.delete(oldest)
  }
}

/** A link that ran out is made anew by the next fetch. Half a document is none. */
function wholeOf(response: CarrierResponse, format: LabelFormat): Outcome<Buffer> {
  if (response.kind !== 'answered') return later(response.said)
  if (response.status !== 200 || !Buffer.isBuffer(response.body)) {
    return later(`the link to its labels answers ${response.status}`)
  }
  return isWhole(response.body, format) ? yes(response.body) : later('its labels came incomplete')
}

/** Whether the bytes are a document from its beginning to its end. */
export function isWhole(bytes: Buffer, format: LabelFormat): boolean {
  const [begins, ends] = format === 'pdf' ? ['%PDF-', '%%EOF'] : ['^XA', '^XZ']
  const tail = bytes.subarray(-1_024).toString('latin1').trimEnd()
  return bytes.subarray(0, 1_024).toString('latin1').trimStart().startsWith(begins) && tail.endsWith(ends)
}

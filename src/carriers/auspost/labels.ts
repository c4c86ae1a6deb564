import { z } from 'zod'
import { carrierWord, understood } from '../answer.ts'
import type { LabelFormat, Outcome } from '../carrier.ts'
import type { CarrierRequest, CarrierResponse } from '../send.ts'
import { shipmentIdsOf } from './ref.ts'
import { readReply } from './refusals.ts'
import type { Settings } from './settings.ts'

const Labels = z.object({
  labels: z.tuple([
    z.object({
      request_id: carrierWord,
      status: z.string(),
      url: z.url({ protocol: /^https?$/ }).optional(),
    }),
  ]),
})
type Made = { requestId: string; status: string; url: string | null }

export type Ask = (method: CarrierRequest['method'], path: string, body?: unknown) => Promise<CarrierResponse>
/** `at`: a path of theirs, or a whole address that they gave us. */
export type Download = (at: string) => Promise<CarrierResponse>

const MOST_REMEMBERED = 1_000

/**
 * Labels of bookings: asked for once, then fetched from where they lie. A request that is still being worked on is
 * remembered, so that asking again does not make another.
 */
export function labelDesk(ask: Ask, download: Download, settings: Settings) {
  const requests = new Map<string, string>()

  return async (ref: string, format: LabelFormat): Promise<Outcome<Buffer>> => {
    const key = `${format} ${ref}`
    const known = requests.get(key)
    const made = parseMade(
      known
        ? await ask('GET', `/labels/${encodeURIComponent(known)}`)
        : await ask('POST', '/labels', formatRequest(ref, format, settings)),
    )
    if (made.kind !== 'yes') {
      requests.delete(key)
      return made
    }
    requests.set(key, made.value.requestId)
    for (const oldest of requests.keys()) {
      if (requests.size <= MOST_REMEMBERED) break
      requests.delete(oldest)
    }
    if (made.value.status === 'PENDING') return later('its labels are still being made')
    if (made.value.status !== 'AVAILABLE' || !made.value.url) {
      requests.delete(key)
      return later('its labels could not be made')
    }
    return bytesOf(await download(made.value.url), format)
  }
}

function formatRequest(ref: string, format: LabelFormat, settings: Settings) {
  const groups = Object.entries(settings.label_layouts).map(([group, layout]) => ({
    group,
    layout,
    branded: settings.label_branded,
    left_offset: settings.label_left_offset,
    top_offset: settings.label_top_offset,
  }))
  return {
    wait_for_label_url: true,
    unlabelled_articles_only: false,
    preferences: [{ type: 'PRINT', format: format.toUpperCase(), groups }],
    shipments: shipmentIdsOf(ref).map((shipment_id) => ({ shipment_id })),
  }
}

function parseMade(response: CarrierResponse): Outcome<Made> {
  return readReply(response, ({ body }) =>
    understood(Labels, body, ({ labels: [{ request_id, status, url }] }) => ({
      requestId: request_id,
      status: status.toUpperCase(),
      url: url ?? null,
    })),
  )
}

/** A link that ran out is made anew by the next fetch. Half a document is none. */
function bytesOf(response: CarrierResponse, format: LabelFormat): Outcome<Buffer> {
  if (response.kind !== 'answered') return later(response.said)
  if (response.status !== 200 || !Buffer.isBuffer(response.body)) {
    return later(`the link to its labels answers ${response.status}`)
  }
  return isWhole(response.body, format)
    ? { kind: 'yes', value: response.body }
    : later('its labels came incomplete')
}

/** Whether the bytes are a document from its beginning to its end. */
export function isWhole(bytes: Buffer, format: LabelFormat): boolean {
  const [begins, ends] = format === 'pdf' ? ['%PDF-', '%%EOF'] : ['^XA', '^XZ']
  const tail = bytes.subarray(-1_024).toString('latin1').trimEnd()
  return bytes.subarray(0, 1_024).toString('latin1').trimStart().startsWith(begins) && tail.endsWith(ends)
}

function later(said: string): Outcome<never> {
  return { kind: 'no', cure: 'later', said }
}

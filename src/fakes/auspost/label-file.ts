import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FakeAnswer } from '../fake.ts'
import { labelsPdf, labelsZpl } from './label-paper.ts'
import type { LabelRequest, World } from './world.ts'

/** How long a link is valid. The reference says that it expires, but not when. */
const LINK_MS = 60 * 60_000

/** Signs links; after a restart, the fake accepts no old link. */
const KEY = randomBytes(32)

/** Capability URL: opens the file until it expires; repeated while valid, then created again. */
export function labelUrl({ clock, url }: World, request: LabelRequest): string {
  const nowMs = clock.nowMs()
  if (request.urlMadeMs === null || nowMs >= request.urlMadeMs + LINK_MS) request.urlMadeMs = nowMs
  const expires = Math.floor((request.urlMadeMs + LINK_MS) / 1_000)
  const name = `${request.requestId}.${request.format.toLowerCase()}`
  const query = new URLSearchParams({ Expires: String(expires), Signature: signature(name, expires) })
  return `${url()}/lodgement4/labels/${name}?${query}`
}

/** The labels' bytes; null when the link is invalid or expired. */
export async function fileOf(
  { clock }: World,
  request: LabelRequest,
  query: URLSearchParams,
): Promise<FakeAnswer | null> {
  const expires = Number(query.get('Expires'))
  const wanted = Buffer.from(signature(`${request.requestId}.${request.format.toLowerCase()}`, expires))
  const given = Buffer.from(query.get('Signature') ?? '')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null
  if (clock.nowMs() >= expires * 1_000) return null
  if (request.format === 'ZPL')
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: labelsZpl(request) }
  return { status: 200, headers: { 'content-type': 'application/pdf' }, body: await labelsPdf(request) }
}

function signature(name: string, expires: number): string {
  return createHmac('sha256', KEY).update(`${name}\n${expires}`).digest('base64url')
}

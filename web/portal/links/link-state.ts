import type { Link } from '../../shared/api.generated.ts'

/** The state of a link: `at` if its time is known, `why` if it did not reach its customer. */
export type LinkState = { word: string; at?: string; why?: string; wrong?: true }

const CLOSED: Readonly<Partial<Record<Link['status'], string>>> = {
  locked: 'Locked after five wrong order numbers',
  expired: 'Expired',
  revoked: 'Revoked',
}

/** The latest known state: created, sent, opened, or its end. */
export function linkState(link: Omit<Link, 'id'>): LinkState {
  const { status, booked_at, opened_at, revoked_at, expires_at } = link
  // A booking stays one, whatever happened to the link since.
  if (booked_at) return { word: 'Booked', at: booked_at }
  if (status !== 'open') {
    const at = { revoked: revoked_at, expired: expires_at }[status as string]
    return { word: CLOSED[status] ?? status, ...(at && { at }) }
  }
  if (opened_at) return { word: 'Opened', at: opened_at }
  return sentState(link.messages)
}

/** By the message that reached the customer; if none did, why the first did not. */
function sentState(messages: Link['messages']): LinkState {
  const times = messages
    .flatMap(({ sent_at }) => sent_at ?? [])
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))
  const at = times.at(-1)
  if (at) return { word: 'Sent', at }
  const [first] = messages
  if (!first) return { word: 'Created' }
  const why = first.reason ? { why: first.reason } : {}
  if (messages.some(({ status }) => status === 'queued')) return { word: 'Being sent', ...why }
  if (messages.some(({ status }) => status === 'no_channel')) return { word: 'Not sent', ...why }
  return { word: 'Not sent', wrong: true, ...why }
}

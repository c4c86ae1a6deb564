import type { RefusalCode } from '../../domain/errors.ts'
import { bookedBy, bookLink, linkOptions } from '../../operations/book-link.ts'
import {
  type OpenLink,
  openLink,
  requireSession,
  SESSION_SECONDS,
  verifyLink,
} from '../../operations/open-link.ts'
import type { HttpDeps } from '../deps.ts'
import { type Ask, type Endpoint, json, openEndpoint } from '../endpoint.ts'
import { missGuard } from '../miss-guard.ts'
import {
  BookLinkBody,
  LinkBookingAnswer,
  LinkOptionsAnswer,
  VerifiedLinkAnswer,
  VerifyLinkBody,
} from '../schemas/link.ts'
import { recordTime } from '../wire/delivery.ts'
import { fromBooking, fromLinkOptions, fromOrder } from '../wire/link.ts'

/** What every link endpoint may refuse, of an address that is a link's. */
const CLOSED: readonly RefusalCode[] = ['link_expired', 'link_revoked', 'link_locked', 'capability_disabled']
/** No search engine keeps what is private; the rest of the headers is every answer's. */
const headers = { 'x-robots-tag': 'noindex, nofollow' }

const shared = { access: 'public', tag: 'Links', headers } as const

/** What the booking page calls, with nothing but the address it was opened by. Only POST changes anything. */
export function publicLinkEndpoints(): Endpoint[] {
  const guarded = missGuard()
  return [
    openEndpoint({
      ...shared,
      method: 'POST',
      url: '/l/:token/verify',
      operationId: 'verifyLink',
      unaudited: 'It only asks; wrong tries stand on the link itself.',
      summary: 'Show that one knows the order’s number',
      description:
        'Five wrong numbers lock the link for good. Until it is verified nothing of the order is told.',
      body: VerifyLinkBody,
      answers: { 200: { description: 'The order, and a session to book with.', schema: VerifiedLinkAnswer } },
      refusals: [...CLOSED, 'wrong_reference'],
      handle: guarded(async ({ deps, params, body }) => {
        const open = await openLink(deps, params.token as string)
        const session = await verifyLink(deps, open, (body as VerifyLinkBody).reference)
        return json(200, { data: { session, ...(await verified(deps, open)) } })
      }),
    }),
    openEndpoint({
      ...shared,
      method: 'GET',
      url: '/l/:token/options',
      operationId: 'listLinkOptions',
      summary: 'What can be booked at this moment',
      linkSession: true,
      answers: { 200: { description: 'One option for each type.', schema: LinkOptionsAnswer } },
      refusals: [...CLOSED, 'link_not_verified', 'link_used', 'no_service_available'],
      handle: guarded(async (ask) => {
        const open = await openVerified(ask)
        const { decision, store } = linkOptions(open)
        return json(200, { data: fromLinkOptions(open.entry.account, store, decision) })
      }),
    }),
    openEndpoint({
      ...shared,
      method: 'POST',
      url: '/l/:token/book',
      operationId: 'bookLink',
      summary: 'Book the order’s delivery, once',
      description: 'Whoever books again, or at the same time, gets what the first one booked.',
      body: BookLinkBody,
      linkSession: true,
      answers: {
        200: { description: 'It was booked before.', schema: LinkBookingAnswer },
        201: { description: 'Booked.', schema: LinkBookingAnswer },
      },
      refusals: [...CLOSED, 'link_not_verified', 'no_service_available', 'duplicate_reference'],
      handle: guarded(async (ask) => {
        const open = await openVerified(ask)
        const body = ask.body as BookLinkBody
        const { delivery, first } = await bookLink(ask.deps, open, {
          deliveryType: body.delivery_type,
          specialInstructions: body.special_instructions ?? null,
          authorityToLeave: body.authority_to_leave ?? null,
        })
        ask.audit.note({
          accountId: open.entry.account.id,
          object: delivery.id,
          by: { kind: 'link', actor: open.link.id },
        })
        if (!first) ask.audit.nothing()
        return json(first ? 201 : 200, { data: fromBooking(delivery, storeOf(open)) })
      }),
    }),
  ]
}

async function openVerified({ deps, params, request }: Ask): Promise<OpenLink> {
  const open = await openLink(deps, params.token as string)
  const session = request.headers['link-session']
  requireSession(deps, open, typeof session === 'string' ? session : null)
  return open
}

async function verified(deps: HttpDeps, open: OpenLink) {
  const { link } = open
  const booked = await bookedBy(deps, open)
  return {
    expires_in: SESSION_SECONDS,
    status: booked ? 'booked' : 'open',
    expires_at: link.expiresAtMs === null ? undefined : recordTime(link.expiresAtMs),
    order: fromOrder(link, storeOf(open)),
    booking: booked ? fromBooking(booked, storeOf(open)) : undefined,
  }
}

function storeOf({ entry, link }: OpenLink) {
  return entry.account.storeById.get(link.storeId)
}

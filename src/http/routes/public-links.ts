import type { FastifyRequest } from 'fastify'
import { Refusal, type RefusalCode } from '../../domain/errors.ts'
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
import { bucketsOf, type Limit, take, tooMany } from '../rate-limit.ts'
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
  const guarded = guard()
  return [
    openEndpoint({
      ...shared,
      method: 'POST',
      url: '/l/:token/verify',
      operationId: 'verifyLink',
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
        return json(first ? 201 : 200, { data: fromBooking(delivery, storeOf(open)) })
      }),
    }),
  ]
}

/** Wrong links, order numbers and sessions for each caller's address; many customers may share one. */
const MISSES: Limit = { perSecond: 1, burst: 100 }
const MISS: ReadonlySet<RefusalCode> = new Set(['not_found', 'wrong_reference', 'link_not_verified'])

/** Counts the misses of an address, and turns it away once there are too many. What succeeds costs nothing. */
function guard() {
  const buckets = bucketsOf(50_000)
  const bucketOf = ({ ip }: FastifyRequest, nowMs: number) => buckets(ip, MISSES, nowMs)
  return (work: (ask: Ask) => ReturnType<Endpoint['handle']>) => async (ask: Ask) => {
    const bucket = bucketOf(ask.request, Date.now())
    const wait = take(bucket, MISSES, Date.now())
    if (wait > 0) throw tooMany(wait, 'wrong tries from this address')
    bucket.tokens += 1
    try {
      return await work(ask)
    } catch (error) {
      if (error instanceof Refusal && MISS.has(error.code)) take(bucket, MISSES, Date.now())
      throw error
    }
  }
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

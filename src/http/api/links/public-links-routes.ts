import type { Store } from '../../../domain/account/account.ts'
import type { Delivery } from '../../../domain/delivery/delivery.ts'
import { Refusal, type RefusalCode } from '../../../domain/errors.ts'
import { MOST_WRONG_TRIES, statusOf } from '../../../domain/links/link.ts'
import { bookedBy, bookLink, linkOptions } from '../../../operations/links/book-link.ts'
import {
  findOpenLink,
  type OpenLink,
  openLink,
  refuseClosed,
  requireSession,
  SESSION_SECONDS,
  verifyLink,
} from '../../../operations/links/open-link.ts'
import { trackingAddress, trackingPath } from '../../../operations/tokens/tracking-token.ts'
import { enumerationGuard } from '../../admission/enumeration-guard.ts'
import type { HttpDeps } from '../../contract/deps.ts'
import { created, type Endpoint, json, openEndpoint, type RequestContext } from '../../contract/endpoint.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { withFreshOptions } from '../deliveries/fresh-options.ts'
import { fromBrand, fromHelp } from '../tracking/tracking-wire.ts'
import {
  BookLinkBody,
  LinkBookingAnswer,
  LinkFrontAnswer,
  LinkOptionsAnswer,
  VerifiedLinkAnswer,
  VerifyLinkBody,
} from './link-schema.ts'
import { fromBooking, fromLinkOptions, fromOrder } from './link-wire.ts'

/** What every link endpoint may refuse, of an address that is a link's. */
const CLOSED: readonly RefusalCode[] = ['link_expired', 'link_revoked', 'link_locked', 'capability_disabled']
/** No search engine keeps what is private; the rest of the headers is every answer's. */
const headers = { 'x-robots-tag': 'noindex, nofollow' }

const shared = { access: 'public', tag: 'Links', headers } as const

/** What the booking page calls, with nothing but the address it was opened by. Only POST changes anything. */
export function publicLinkEndpoints(): Endpoint[] {
  const guarded = enumerationGuard()
  return [
    openEndpoint({
      ...shared,
      method: 'GET',
      url: '/l/:token',
      page: 'book',
      operationId: 'openLink',
      summary: 'Whose link it is, and whether it can be used',
      description:
        'Nothing of the order is told. A link that is over says so, with `brand` and `help` beside the code.',
      answers: { 200: { description: 'A browser gets the page.', schema: LinkFrontAnswer } },
      refusals: CLOSED,
      handle: guarded(async ({ deps, params }) =>
        json(200, { data: await frontOf(deps, params.token as string) }),
      ),
    }),
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
      example: { reference: '$RUN-booked-by-link' },
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
      description: 'Each option is held until its `valid_until`: send its `quote_id` with the booking.',
      answers: { 200: { description: 'One option for each type.', schema: LinkOptionsAnswer } },
      refusals: [...CLOSED, 'link_not_verified', 'link_used', 'no_service_available'],
      handle: guarded(async (ask) => {
        const open = await openVerified(ask)
        const options = await linkOptions(ask.deps, open)
        return json(200, { data: fromLinkOptions({ account: open.entry.account, ...options }) })
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
      example: { delivery_type: 'standard' },
      answers: {
        200: { description: 'It was booked before.', schema: LinkBookingAnswer },
        201: { description: 'Booked.', schema: LinkBookingAnswer },
      },
      refusals: [
        ...CLOSED,
        'link_not_verified',
        'no_service_available',
        'option_changed',
        'duplicate_reference',
      ],
      handle: guarded(async (ask) => {
        const open = await openVerified(ask)
        const body = ask.body as BookLinkBody
        const { delivery, first } = await withFreshOptions(fromLinkOptions, () =>
          bookLink(ask.deps, open, {
            deliveryType: body.delivery_type,
            quoteId: body.quote_id ?? null,
            specialInstructions: body.special_instructions ?? null,
            authorityToLeave: body.authority_to_leave ?? null,
          }),
        )
        ask.audit.note({
          accountId: open.entry.account.id,
          object: delivery.id,
          by: { kind: 'link', actor: open.link.id },
        })
        if (!first) ask.audit.nothing()
        const data = bookingOf(ask.deps, delivery, open)
        if (!first) return json(200, { data })
        return created(trackingPath(ask.deps, delivery.accountId, delivery.id), { data })
      }),
    }),
  ]
}

async function openVerified({ deps, params, request }: RequestContext): Promise<OpenLink> {
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
    order: fromOrder(link, storeOf(open), open.entry.nowMs()),
    booking: booked ? bookingOf(deps, booked, open) : undefined,
  }
}

/** A closed link tells whom to ask, on every answer of it. */
async function frontOf(deps: HttpDeps, token: string): Promise<Record<string, unknown>> {
  const open = await findOpenLink(deps, token)
  const store = storeOf(open)
  const face = { brand: fromBrand(store), help: fromHelp(store, open.entry.nowMs()) }
  const { link } = open
  try {
    refuseClosed(open)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.code, error.message, { details: { ...error.details, ...face } })
  }
  return {
    status: statusOf(link),
    ...face,
    expires_at: link.expiresAtMs === null ? undefined : recordTime(link.expiresAtMs),
    tries_left: MOST_WRONG_TRIES - link.wrongTries,
  }
}

function bookingOf(deps: HttpDeps, delivery: Delivery, open: OpenLink): Record<string, unknown> {
  return fromBooking(delivery, storeOf(open), trackingAddress(deps, delivery.accountId, delivery.id))
}

/** A store that left the account takes its links with it. */
function storeOf({ entry, link }: OpenLink): Store {
  const store = entry.account.storeById.get(link.storeId)
  if (!store) throw new Refusal('link_revoked', 'The store has withdrawn this link.')
  return store
}

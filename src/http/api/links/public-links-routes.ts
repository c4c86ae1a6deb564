import type { Store } from '../../../domain/account/account.ts'
import type { Delivery } from '../../../domain/delivery/delivery.ts'
import { Refusal, type RefusalCode } from '../../../domain/errors.ts'
import { getLinkStatus, MAX_FAILED_ATTEMPTS } from '../../../domain/links/link.ts'
import { getBrandLogo } from '../../../operations/accounts/logos.ts'
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
import { withFreshOptions } from '../deliveries/quote-wire.ts'
import { toImage } from '../tracking/image-answer.ts'
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

/** The refusals that every public link endpoint has for a known link. */
const CLOSED: readonly RefusalCode[] = ['link_expired', 'link_revoked', 'link_locked', 'capability_disabled']
/** Keeps search engines away from private pages; the other headers are those of every response. */
const headers = { 'x-robots-tag': 'noindex, nofollow' }

const shared = { access: 'public', tag: 'Links', headers } as const

/** Capability URL: the endpoints of the booking page, opened by the link's unguessable URL. Only POST changes data. */
export function publicLinkEndpoints(): Endpoint[] {
  const guarded = enumerationGuard()
  return [
    openEndpoint({
      ...shared,
      method: 'GET',
      url: '/l/:token',
      page: 'book',
      operationId: 'openLink',
      summary: 'Get the brand and status of a link',
      description:
        'Returns no data of the order. If the link can no longer be used, the error has `brand` and `help` as well as the code.',
      answers: {
        200: {
          description: 'The link’s brand and status. A browser receives the HTML page.',
          schema: LinkFrontAnswer,
        },
      },
      refusals: CLOSED,
      handle: guarded(async ({ deps, params }) =>
        json(200, { data: await getFront(deps, params.token as string) }),
      ),
    }),
    openEndpoint({
      ...shared,
      method: 'GET',
      url: '/l/:token/logo',
      operationId: 'getLinkLogo',
      summary: 'Get the logo of the link’s brand',
      description: 'Available if the brand has a logo: `brand.logo` of the link says so.',
      exampleCall: { status: { code: 404, because: 'the demo’s brand has no logo' } },
      answers: { 200: { description: 'The logo.', media: ['image/svg+xml', 'image/png'] } },
      refusals: ['link_revoked'],
      handle: guarded(async ({ deps, params }) => {
        const logo = getBrandLogo(getStore(await findOpenLink(deps, params.token as string)).brand)
        if (!logo) throw new Refusal('not_found', 'This link’s brand has no logo.')
        return toImage(logo)
      }),
    }),
    openEndpoint({
      ...shared,
      method: 'POST',
      url: '/l/:token/verify',
      operationId: 'verifyLink',
      unaudited: 'It only reads; the link counts wrong tries.',
      summary: 'Verify the order number',
      description:
        'Returns the order and a session if the order number is correct. After five wrong numbers the link is locked permanently. Before the verification, no data of the order is returned.',
      body: VerifyLinkBody,
      example: { reference: '$RUN-booked-by-link' },
      answers: {
        200: { description: 'The order, and a session for the booking.', schema: VerifiedLinkAnswer },
      },
      refusals: [...CLOSED, 'reference_mismatch'],
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
      summary: 'List the delivery options that can be booked now',
      linkSession: true,
      description: 'Each option is held until its `valid_until`. Send its `quote_id` with the booking.',
      answers: {
        200: { description: 'One option for each available delivery type.', schema: LinkOptionsAnswer },
      },
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
      summary: 'Book the order’s delivery',
      description:
        'An order is booked only once. A repeated or simultaneous request receives the first booking.',
      body: BookLinkBody,
      linkSession: true,
      example: { delivery_type: 'standard' },
      answers: {
        200: { description: 'The existing booking.', schema: LinkBookingAnswer },
        201: { description: 'The new booking.', schema: LinkBookingAnswer },
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
        const data = toBooking(ask.deps, delivery, open)
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
    order: fromOrder(link, getStore(open), open.entry.nowMs()),
    booking: booked ? toBooking(deps, booked, open) : undefined,
  }
}

/** Brand, contact and status of a link. A closed link adds the brand and contact to its refusal. */
async function getFront(deps: HttpDeps, token: string): Promise<Record<string, unknown>> {
  const open = await findOpenLink(deps, token)
  const store = getStore(open)
  const face = { brand: fromBrand(store), help: fromHelp(store, open.entry.nowMs()) }
  const { link } = open
  try {
    refuseClosed(open)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.code, error.message, { details: { ...error.details, ...face } })
  }
  return {
    status: getLinkStatus(link),
    ...face,
    expires_at: link.expiresAtMs === null ? undefined : recordTime(link.expiresAtMs),
    attempts_left: MAX_FAILED_ATTEMPTS - link.failedAttempts,
  }
}

function toBooking(deps: HttpDeps, delivery: Delivery, open: OpenLink): Record<string, unknown> {
  return fromBooking(delivery, getStore(open), trackingAddress(deps, delivery.accountId, delivery.id))
}

/** Refuses the links of a store that was removed from the account. */
function getStore({ entry, link }: OpenLink): Store {
  const store = entry.account.storeById.get(link.storeId)
  if (!store) throw new Refusal('link_revoked', 'The store has withdrawn this link.')
  return store
}

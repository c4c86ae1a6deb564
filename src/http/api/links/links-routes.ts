import { parseTimestamp } from '../../../domain/calendar/timestamp.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import { rawExpiryIssues } from '../../../domain/links/expiry.ts'
import { toResolveContext } from '../../../operations/directory/caller.ts'
import { type CreatedLink, createLink } from '../../../operations/links/create-link.ts'
import { getLink, LINK_PLACE, listLinks, revokeLink } from '../../../operations/links/links.ts'
import { readLinkAddress, sendLink } from '../../../operations/links/send-link.ts'
import { GOODS_BODY } from '../../contract/body-limit.ts'
import { created, type Endpoint, json, tenantEndpoint } from '../../contract/endpoint.ts'
import { answerOnceEncrypted } from '../../idempotency/idempotency.ts'
import { placeIssues } from '../../input/list-query.ts'
import { EmptyBody } from '../deliveries/lists-schema.ts'
import { LINK_EXAMPLE } from '../fields/examples.ts'
import {
  CreatedLinkAnswer,
  LinkAnswer,
  LinkListAnswer,
  LinkListQuery,
  LinkRequestBody,
} from './link-schema.ts'
import { fromLink, toLinkRequest } from './link-wire.ts'

const ALL = '/:tenant_id/links'
const ONE = `${ALL}/:link_id`

/** The reasons why a link's URL is no longer sent or shown. */
const CLOSED: readonly RefusalCode[] = [
  'capability_disabled',
  'link_used',
  'link_expired',
  'link_revoked',
  'link_locked',
  'link_url_unrecoverable',
]

export const LINK_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'POST',
    url: ALL,
    operationId: 'createLink',
    access: 'links',
    tag: 'Links',
    summary: 'Create a booking link',
    description:
      'Creates a link for a click-and-collect order. The customer opens it, enters the order number and books one delivery. Drover sends the link by SMS and, if there is an email address, by email.',
    body: LinkRequestBody,
    bodyLimit: GOODS_BODY,
    example: LINK_EXAMPLE,
    crossFields: 'delivery',
    moreIssues: ({ entry, caller, body }) =>
      rawExpiryIssues(entry.account, body, toResolveContext(entry, caller)),
    idempotency: 'own',
    answers: { 201: { description: 'The link’s id and URL.', schema: CreatedLinkAnswer } },
    refusals: ['capability_disabled', 'no_service_available', 'duplicate_reference', 'duplicate_link'],
    handle(ask) {
      const { deps, entry, caller, body, audit } = ask
      const expiresAt = body.expires_at === undefined ? null : parseTimestamp(body.expires_at)
      return answerOnceEncrypted(ask, async (keep) => {
        const toResponse = (data: CreatedLink) => created(`/${entry.account.id}/links/${data.id}`, { data })
        const request = toLinkRequest(body)
        const link = await createLink(deps, entry, caller, request, expiresAt, async (db, link) => {
          await audit.record(db, { accountId: entry.account.id, object: link.id })
          await keep(db, toResponse(link))
        })
        return toResponse(link)
      })
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: ALL,
    operationId: 'listLinks',
    readsReplica: true,
    access: 'links',
    tag: 'Links',
    summary: 'List links, newest first',
    query: LinkListQuery,
    moreOfQuery: placeIssues(LINK_PLACE),
    answers: { 200: { description: 'One page of links.', schema: LinkListAnswer } },
    refusals: ['capability_disabled'],
    async handle({ deps, entry, caller, query }) {
      const { links, next } = await listLinks(deps, entry, caller, {
        reference: query.reference ?? null,
        after: query.after ?? null,
        limit: query.limit ?? 50,
      })
      const data = links.map((link) => fromLink(link, entry.account))
      return json(200, { data, pagination: { next, has_more: next !== null } })
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: ONE,
    operationId: 'getLink',
    access: 'links',
    tag: 'Links',
    summary: 'Get a link',
    answers: { 200: { description: 'The link, with its status and the messages sent.', schema: LinkAnswer } },
    refusals: ['capability_disabled'],
    async handle({ deps, entry, caller, params }) {
      const link = await getLink(deps, entry, caller, params.link_id as string)
      return json(200, { data: fromLink(link, entry.account) })
    },
  }),
  tenantEndpoint({
    method: 'POST',
    url: `${ONE}/send`,
    operationId: 'sendLink',
    access: 'links',
    tag: 'Links',
    summary: 'Send a link again',
    description:
      'Sends the link to its customer by SMS and, if they have an email address, by email. The link stays the same. A message that is still waiting is not queued twice. A customer receives at most three links an hour, and each link at most once a minute. Beyond that, the response is 429 with `Retry-After`.',
    body: EmptyBody,
    bodyOptional: true,
    exampleCall: { status: { code: 429, because: 'the link was sent less than a minute ago' } },
    answers: { 202: { description: 'The link is queued for sending.', schema: LinkAnswer } },
    refusals: [...CLOSED, 'duplicate_reference'],
    handle({ deps, entry, caller, params, audit, keep }) {
      return sendLink(deps, entry, caller, params.link_id as string, async (db, link, trace) => {
        await audit.record(db, trace)
        const answer = json(202, { data: fromLink(link, entry.account) })
        await keep(db, answer)
        return answer
      })
    },
  }),
  tenantEndpoint({
    method: 'POST',
    url: `${ONE}/address`,
    operationId: 'readLinkAddress',
    access: 'links',
    tag: 'Links',
    summary: 'Get the URL of a link again',
    description:
      'Returns the URL, so that a person can send it to the customer in another way. The audit log records the caller.',
    body: EmptyBody,
    bodyOptional: true,
    idempotency: 'own',
    answers: { 200: { description: 'The link’s id and its unchanged URL.', schema: CreatedLinkAnswer } },
    refusals: CLOSED,
    handle(ask) {
      const { deps, entry, caller, params } = ask
      return answerOnceEncrypted(ask, async () =>
        json(200, { data: await readLinkAddress(deps, entry, caller, params.link_id as string) }),
      )
    },
  }),
  tenantEndpoint({
    method: 'DELETE',
    url: ONE,
    operationId: 'revokeLink',
    access: 'links',
    tag: 'Links',
    summary: 'Revoke a link',
    description: 'The link can no longer be used. A delivery that was booked with it stays booked.',
    exampleCall: { path: { link_id: '$REVOKED_LINK_ID' } },
    answers: { 204: { description: 'The link is revoked.' } },
    refusals: [],
    async handle({ deps, entry, caller, params, audit }) {
      await revokeLink(deps, entry, caller, params.link_id as string, audit.record)
      return { status: 204, body: '' }
    },
  }),
]

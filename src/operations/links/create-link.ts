import { type Timestamp, toInstantMs } from '../../domain/calendar/timestamp.ts'
import { Refusal } from '../../domain/errors.ts'
import { expiryIssues } from '../../domain/links/expiry.ts'
import type { LinkRequest } from '../../domain/links/link.ts'
import { exclusionsForever } from '../../domain/quoting/decide.ts'
import { numberIssues } from '../../domain/quoting/resolve/resolve-delivery.ts'
import { findNamedStore } from '../../domain/quoting/resolve/resolve-store.ts'
import type { Db } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { listDeliveriesByReference } from '../../store/deliveries/deliveries.ts'
import { holdReference, insertLink } from '../../store/links/links.ts'
import { type NewMessage, queueMessages } from '../../store/messages/messages.ts'
import { referenceTaken } from '../deliveries/reference-taken.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { maxLinksAnHour, mayTextLink } from '../messages/sms-limits.ts'
import { refuseCutLabel } from '../paperwork/label-issues.ts'
import { noServiceAvailable } from '../quoting/plan-delivery.ts'
import { resolveDeliveryOrRefuse } from '../quoting/resolve-delivery.ts'
import { linkAddress, linkToken, tokenHash } from '../tokens/link-token.ts'
import { linkMessages } from './link-messages.ts'

export type CreatedLink = { id: string; link: string }

/**
 * Creates a link for a click-and-collect order and queues its SMS, and its email if there is an address, in one
 * transaction with its event and with `alongside`. Refuses `capability_disabled`, `invalid_request`,
 * `no_service_available` if no carrier could ever deliver it, `duplicate_reference` and `duplicate_link`.
 */
export async function createLink(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  request: LinkRequest,
  expiresAt: Timestamp | null,
  alongside: (db: Db, made: CreatedLink) => Promise<void>,
): Promise<CreatedLink> {
  requireLinks(entry)
  const nowMs = entry.nowMs()
  const zone = findNamedStore(entry.account, request)?.zone ?? entry.account.zone
  const expiresAtMs = expiresAt && toInstantMs(expiresAt, zone)
  const asked = bookedAt(request, nowMs)
  const beside = [...numberIssues(entry.account, asked), ...expiryIssues(expiresAtMs, nowMs)]
  const resolved = resolveDeliveryOrRefuse(entry, caller, asked, beside)
  await refuseCutLabel(entry.account, request.reference, resolved)
  const exclusions = exclusionsForever(entry.account, resolved.job, entry.carriersNotSetUp)
  if (exclusions) throw noServiceAvailable({ exclusions })
  await refuseTaken(deps, entry, resolved.store.id, request.reference)

  const id = deps.newId('lnk')
  const made = { id, link: linkAddress(deps, entry.account.id, id) }
  await withTransaction(deps.db, async (db) => {
    await refuseSecond(db, entry, resolved.store.id, request.reference)
    await insertLink(db, {
      accountId: entry.account.id,
      id,
      tokenHash: tokenHash(linkToken(deps.secretKey, entry.account.id, id)),
      storeId: resolved.store.id,
      storeReference: resolved.store.reference,
      reference: request.reference,
      // By our id: the store's reference may change before the customer opens the link.
      request: {
        ...request,
        storeId: resolved.store.id,
        storeReference: null,
        customer: resolved.content.customer,
      },
      accountVersion: entry.account.version,
      expiresAtMs,
      createdAtMs: nowMs,
      eventId: deps.newId('evt'),
    })
    const { customer } = resolved.content
    const linkFields = { accountId: entry.account.id, linkId: id, ulid: id.slice('lnk_'.length), expiresAtMs }
    const messages = linkMessages(linkFields, { customer, store: resolved.store, nowMs })
    const max = maxLinksAnHour(deps, entry)
    const mayText = await mayTextLink(db, {
      accountId: entry.account.id,
      linkId: id,
      phone: customer.phone,
      max,
    })
    await queueMessages(db, mayText ? messages : messages.map((message) => unlessSms(message, max)))
    await alongside(db, made)
  })
  deps.wake()
  return made
}

/** A customer with two links for one order would not know which to use, so the error names the open one. */
async function refuseSecond(
  db: Db,
  { account, clockOffsetMs }: AccountEntry,
  storeId: string,
  reference: string,
): Promise<void> {
  const linkId = await holdReference(db, { accountId: account.id, storeId, reference }, clockOffsetMs)
  if (linkId === null) return
  throw new Refusal(
    'duplicate_link',
    `Order ${reference} already has a link that works. Send that link again, or revoke it first.`,
    { details: { link_id: linkId } },
  )
}

function unlessSms(message: NewMessage, max: number): NewMessage {
  const response_excerpt = `Not sent: this number got ${max} links in the last hour.`
  return message.kind === 'sms' ? { ...message, response_excerpt } : message
}

/** Refuses `capability_disabled` if the account has no click-and-deliver. */
export function requireLinks({ account }: AccountEntry): void {
  if (account.clickAndDeliver) return
  throw new Refusal('capability_disabled', 'Click-and-deliver is switched off for this account.')
}

/** The delivery that the link would book at this moment: an order that waits in a shop is ready. */
export function bookedAt(request: LinkRequest, nowMs: number) {
  return { ...request, readyForPickupAt: { kind: 'instant', ms: nowMs } as const }
}

/** A link for an order that has its delivery could never be booked. */
export async function refuseTaken(
  deps: Deps,
  { account }: AccountEntry,
  storeId: string,
  reference: string,
): Promise<void> {
  const [existing] = await listDeliveriesByReference(deps.db, account.id, reference, [storeId])
  if (!existing) return
  throw await referenceTaken(deps, { accountId: account.id, storeId, reference }, existing)
}

import { instantOf, type Timestamp } from '../domain/calendar/timestamp.ts'
import { Refusal } from '../domain/errors.ts'
import { expiryIssues } from '../domain/links/expiry.ts'
import type { LinkRequest } from '../domain/links/link.ts'
import { LIFE_MS, type MessageKind } from '../domain/messages/message.ts'
import { linkWording } from '../domain/messages/wording.ts'
import type { ResolvedDelivery } from '../domain/quoting/resolve-delivery.ts'
import { storeNamed } from '../domain/quoting/resolve-store.ts'
import { type Db, listDeliveriesByReference } from '../store/deliveries.ts'
import { insertLink } from '../store/links.ts'
import { type NewMessage, queueMessages } from '../store/messages.ts'
import { withTransaction } from '../store/pool.ts'
import type { AccountEntry } from './account-directory.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { linkAddress, linkToken, tokenHash } from './link-token.ts'
import { resolveDeliveryOrRefuse } from './resolve-delivery.ts'

export type CreatedLink = { id: string; link: string }

/**
 * Makes a link for a click-and-collect order and queues its SMS, and its e-mail where there is an address: all in
 * one transaction with its event and with what `alongside` does. Refuses `capability_disabled`, `invalid_request` and `duplicate_reference`.
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
  const zone = storeNamed(entry.account, request)?.zone ?? entry.account.zone
  const expiresAtMs = expiresAt && instantOf(expiresAt, zone)
  const tooLate = expiryIssues(expiresAtMs, nowMs)
  const resolved = resolveDeliveryOrRefuse(entry, caller, bookedAt(request, nowMs), tooLate)
  await refuseTaken(deps, entry, resolved, request.reference)

  const id = deps.newId('lnk')
  const made = { id, link: linkAddress(deps, entry.account.id, id) }
  await withTransaction(deps.db, async (db) => {
    await insertLink(db, {
      accountId: entry.account.id,
      id,
      tokenHash: tokenHash(linkToken(deps.secretKey, entry.account.id, id)),
      storeId: resolved.store.id,
      storeReference: resolved.store.reference,
      reference: request.reference,
      // By our id: the store may be called otherwise by the time the customer comes.
      request: {
        ...request,
        storeId: resolved.store.id,
        storeReference: null,
        customer: resolved.content.customer,
      },
      expiresAtMs,
      createdAtMs: nowMs,
      eventId: deps.newId('evt'),
    })
    await queueMessages(db, messagesOf(entry, id, resolved, nowMs, expiresAtMs))
    await alongside(db, made)
  })
  deps.wake()
  return made
}

/** Refuses `capability_disabled` where the account has no click-and-deliver. */
export function requireLinks({ account }: AccountEntry): void {
  if (account.clickAndDeliver) return
  throw new Refusal('capability_disabled', 'Click-and-deliver is switched off for this account.')
}

/** The delivery that the link would book at this moment: what waits in a shop is ready. */
export function bookedAt(request: LinkRequest, nowMs: number) {
  return { ...request, readyForPickupAt: { kind: 'instant', ms: nowMs } as const }
}

/** A link to an order that has its delivery could never be booked. */
async function refuseTaken(
  deps: Deps,
  { account }: AccountEntry,
  { store }: ResolvedDelivery,
  reference: string,
): Promise<void> {
  const [existing] = await listDeliveriesByReference(deps.db, account.id, reference, [store.id])
  if (!existing) return
  throw new Refusal('duplicate_reference', `This store already has a delivery ${reference}.`, {
    details: { delivery_id: existing.delivery_id },
  })
}

function messagesOf(
  { account }: AccountEntry,
  linkId: string,
  { content: { customer }, store }: ResolvedDelivery,
  nowMs: number,
  expiresAtMs: number | null,
): NewMessage[] {
  const notAfterMs = Math.min(nowMs + LIFE_MS.link, expiresAtMs ?? Number.POSITIVE_INFINITY)
  const message = (kind: MessageKind, recipient: string): NewMessage => ({
    account_id: account.id,
    message_id: `msg_${linkId.slice('lnk_'.length)}_${kind}`,
    kind,
    recipient,
    template: 'link',
    store_id: store.id,
    link_id: linkId,
    ...linkWording(kind, { firstName: customer.firstName, store }),
    created_at: nowMs,
    not_after: notAfterMs,
  })
  return [
    message('sms', customer.phone),
    ...(customer.email === null ? [] : [message('email', customer.email)]),
  ]
}

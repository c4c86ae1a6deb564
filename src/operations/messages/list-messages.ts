import type { Account } from '../../domain/account/account.ts'
import { isProgressTemplate, type MessageKind, type MessageStatus } from '../../domain/messages/message.ts'
import { listMessages as listRows, type MessageRow } from '../../store/messages/messages.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { type Caller, visibleStoreIds } from '../directory/caller.ts'
import { readCursor, toCursor } from '../lists/cursor.ts'
import { bodyToSend } from './render-messages.ts'

export type MessageListFilter = {
  deliveryId: string | null
  linkId: string | null
  status: MessageStatus | null
  kind: MessageKind | null
  /** `next` of the previous page. */
  after: string | null
  limit: number
}

/**
 * Older emails to couriers have ids made from their bookings, which are not ULIDs: `msg_LC1234-called-off_courier`.
 */
export const MESSAGE_PLACE = /^msg_[0-9A-Za-z-]{1,60}_(sms|email|courier)$/

/** One page of the outbox, newest first. `next` is the cursor of the next page, null on the last one. */
export async function listMessages(
  deps: Deps,
  { account }: AccountEntry,
  caller: Caller,
  { after, limit, ...filter }: MessageListFilter,
): Promise<{ messages: MessageRow[]; next: string | null }> {
  const rows = await listRows(deps.db, account.id, {
    ...filter,
    storeIds: visibleStoreIds(account, caller),
    beforeId: readCursor(after, MESSAGE_PLACE),
    limit: limit + 1,
  })
  const messages = rows.slice(0, limit).map((row) => asShown(deps, account, caller, row))
  const last = messages.at(-1)
  const next = rows.length > limit && last ? toCursor(last.message_id) : null
  return { messages, next }
}

/** A caller who reads the delivery has its tracking URL anyway; a link's secret is for its customer only. */
function asShown(deps: Deps, account: Account, caller: Caller, row: MessageRow): MessageRow {
  if (row.body === null) return row
  const { template } = row
  if (template === 'driver_code') {
    const mayRead = isTheOnlyPhone(account, row) && caller.scopes.has('driver_codes:read')
    return {
      ...row,
      body: mayRead ? bodyToSend(deps, row, row.body) : row.body.replaceAll('{code}', '******'),
    }
  }
  const isShown =
    isProgressTemplate(template) || (template.startsWith('driver_') && isTheOnlyPhone(account, row))
  return isShown ? { ...row, body: bodyToSend(deps, row, row.body) } : row
}

/** In a sandbox without an SMS gateway, the outbox is the only way for a driver to get a login code. */
function isTheOnlyPhone({ mode }: Account, { status }: MessageRow): boolean {
  return mode === 'sandbox' && status === 'no_channel'
}

export type { MessageRow }

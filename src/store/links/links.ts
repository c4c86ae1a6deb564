import { type Link, type LinkRequest, MAX_FAILED_ATTEMPTS } from '../../domain/links/link.ts'
import { type Db, instant } from '../db/db.ts'

export type NewLink = {
  accountId: string
  id: string
  tokenHash: Buffer
  storeId: string
  storeReference: string
  reference: string
  request: LinkRequest
  accountVersion: number
  expiresAtMs: number | null
  createdAtMs: number
  eventId: string
}

/** Account time minus wall time, in milliseconds: the database's clock decides what has expired. */
export type ClockOffset = number

/** Inserts a link and its event, in one statement. */
export async function insertLink(db: Db, link: NewLink): Promise<void> {
  await db.query({
    name: 'insert-link',
    text: `with made as (
        insert into links (account_id, link_id, token_hash, store_id, reference, request, expires_at, created_at,
          account_version)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $11) returning account_id)
      insert into events (account_id, stream, event_id, type, at, source, data)
      select account_id, '', $9, 'link.created', $8, 'api', $10 from made`,
    values: [
      link.accountId,
      link.id,
      link.tokenHash,
      link.storeId,
      link.reference,
      JSON.stringify(link.request),
      link.expiresAtMs === null ? null : instant(link.expiresAtMs),
      instant(link.createdAtMs),
      link.eventId,
      JSON.stringify({
        link_id: link.id,
        reference: link.reference,
        store_id: link.storeId,
        store_reference: link.storeReference,
      }),
      link.accountVersion,
    ],
  })
}

/** Where $1 is the account's clock offset. */
const COLUMNS = `account_id as "accountId", link_id as id, store_id as "storeId", reference, request, account_version as "accountVersion",
  expires_at as "expiresAtMs", created_at as "createdAtMs", opened_at as "openedAtMs", failed_attempts as "failedAttempts", revoked_at as "revokedAtMs",
  used_at as "usedAtMs", delivery_id as "deliveryId", not (${isAlive('$1')}) as expired`

export async function findLink(
  db: Db,
  accountId: string,
  linkId: string,
  offset: ClockOffset,
): Promise<Link | null> {
  const { rows } = await db.query<Link>({
    name: 'find-link',
    text: `select ${COLUMNS} from links where account_id = $2 and link_id = $3`,
    values: [offset, accountId, linkId],
  })
  return rows[0] ?? null
}

/** The same, and until the transaction ends nobody books, revokes or sends it. */
export async function holdLink(
  db: Db,
  accountId: string,
  linkId: string,
  offset: ClockOffset,
): Promise<Link | null> {
  const { rows } = await db.query<Link>({
    name: 'hold-link',
    text: `select ${COLUMNS} from links where account_id = $2 and link_id = $3 for no key update`,
    values: [offset, accountId, linkId],
  })
  return rows[0] ?? null
}

export async function findLinkByToken(
  db: Db,
  accountId: string,
  tokenHash: Buffer,
  offset: ClockOffset,
): Promise<Link | null> {
  const { rows } = await db.query<Link>({
    name: 'find-link-by-token',
    text: `select ${COLUMNS} from links where account_id = $2 and token_hash = $3`,
    values: [offset, accountId, tokenHash],
  })
  return rows[0] ?? null
}

/**
 * The link of a store's order that can still be used, or null. Until the transaction ends nobody makes another one for
 * the same order.
 */
export async function holdReference(
  db: Db,
  { accountId, storeId, reference }: Pick<Link, 'accountId' | 'storeId' | 'reference'>,
  offset: ClockOffset,
): Promise<string | null> {
  await db.query({
    name: 'hold-link-reference',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [JSON.stringify(['link', accountId, storeId, reference])],
  })
  const { rows } = await db.query<{ id: string }>({
    name: 'find-usable-link',
    text: `select link_id as id from links
      where account_id = $2 and store_id = $3 and reference = $4 and used_at is null and revoked_at is null
        and failed_attempts < ${MAX_FAILED_ATTEMPTS} and ${isAlive('$1')}
      order by link_id limit 1`,
    values: [offset, accountId, storeId, reference],
  })
  return rows[0]?.id ?? null
}

export type LinkFilter = {
  storeIds: readonly string[] | null
  reference: string | null
  /** Only links older than this id. */
  beforeId: string | null
  limit: number
}

/** Newest first. */
export async function listLinks(
  db: Db,
  accountId: string,
  offset: ClockOffset,
  { storeIds, reference, beforeId, limit }: LinkFilter,
): Promise<Link[]> {
  const { rows } = await db.query<Link>({
    name: 'list-links',
    text: `select ${COLUMNS} from links
      where account_id = $2 and ($3::text[] is null or store_id = any($3)) and ($4::text is null or reference = $4)
        and ($5::text is null or link_id < $5)
      order by link_id desc limit $6`,
    values: [offset, accountId, storeIds, reference, beforeId, limit],
  })
  return rows
}

/**
 * Compares an order number with the link's and counts it when it is wrong, in one statement: whoever guesses
 * learns nothing that is not counted, however many guess at once. Null: the link takes no more tries.
 */
export async function countFailedReference(
  db: Db,
  { accountId, id }: Pick<Link, 'accountId' | 'id'>,
  given: string,
  atMs: number,
): Promise<{ matches: boolean; failedAttempts: number } | null> {
  const { rows } = await db.query<{ matches: boolean; failedAttempts: number }>({
    name: 'try-reference',
    text: `update links
      set failed_attempts = failed_attempts + case when lower(reference) = lower($3) then 0 else 1 end,
        opened_at = coalesce(opened_at, $4)
      where account_id = $1 and link_id = $2 and failed_attempts < ${MAX_FAILED_ATTEMPTS}
      returning lower(reference) = lower($3) as matches, failed_attempts as "failedAttempts"`,
    values: [accountId, id, given, instant(atMs)],
  })
  return rows[0] ?? null
}

/** Takes the link for this delivery, which the same transaction makes. False: it can no longer be used. */
export async function useLink(
  db: Db,
  { accountId, id }: Pick<Link, 'accountId' | 'id'>,
  use: { deliveryId: string; atMs: number; offset: ClockOffset },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'use-link',
    text: `update links set used_at = $4, delivery_id = $5
      where account_id = $2 and link_id = $3 and used_at is null and revoked_at is null
        and failed_attempts < ${MAX_FAILED_ATTEMPTS} and ${isAlive('$1')}`,
    values: [use.offset, accountId, id, instant(use.atMs), use.deliveryId],
  })
  return rowCount === 1
}

/** Tells, among the delivery's events, that a customer booked it by the link. */
export async function enqueueLinkBooked(
  db: Db,
  { accountId, id }: Pick<Link, 'accountId' | 'id'>,
  { deliveryId, eventId, atMs }: { deliveryId: string; eventId: string; atMs: number },
): Promise<void> {
  await db.query({
    name: 'tell-link-booked',
    text: `insert into events (account_id, stream, reference, event_id, type, at, source, detail, data)
      select $1, $2, d.reference, $3, 'link.booked', $4, 'api', $5, $6
      from deliveries as d where d.account_id = $1 and d.delivery_id = $2`,
    values: [accountId, deliveryId, eventId, instant(atMs), id, JSON.stringify({ link_id: id })],
  })
}

/** Ends a link that is held, and what was about to be sent of it, in one statement. False: it was revoked before, and stays so. */
export async function revokeLink(db: Db, accountId: string, linkId: string, atMs: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'revoke-link',
    text: `with revoked as (
        update links set revoked_at = $3 where account_id = $1 and link_id = $2 and revoked_at is null
        returning account_id, link_id
      ), unsent as (
        update messages as m
        set status = 'expired', response_excerpt = 'The link was revoked.', due_at = null, lease_until = null, fence = m.fence + 1
        from revoked as r
        where m.account_id = r.account_id and m.link_id = r.link_id
          and m.status = 'queued' and m.send_started_at is null)
      select from revoked`,
    values: [accountId, linkId, instant(atMs)],
  })
  return rowCount === 1
}

function isAlive(offset: string): string {
  return `(expires_at is null or expires_at > statement_timestamp() + ${offset}::bigint * interval '1 millisecond')`
}

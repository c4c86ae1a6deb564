import type {
  NewSandboxConsignment,
  NewSandboxOrder,
  SandboxConsignment,
  SandboxLedgerEntry,
  SandboxOrder,
  SandboxStore,
} from '../../carriers/sandbox/engine/sandbox-store.ts'
import { type Db, instant } from '../db/db.ts'

/** The sandbox carriers' memory in PostgreSQL: each booking and its ledger row in one statement. */
export function sandboxStore(db: Db): SandboxStore {
  return {
    book: (consignment) => book(db, consignment),
    cancel: (consignment, atMs) => cancel(db, consignment, atMs),
    lodge: (order) => lodgeSandboxOrder(db, order),
    listOrders: (accountId, carrier, reference) => listSandboxOrders(db, accountId, carrier, reference),
    record: (entry) => record(db, entry),
    async findByKey(accountId, carrier, key) {
      const { rows } = await db.query<SandboxConsignment>({
        name: 'sandbox-find-by-key',
        text: `select ${SANDBOX_CONSIGNMENT_COLUMNS} from sandbox_consignments as c
          where account_id = $1 and carrier = $2 and idempotency_key = $3`,
        values: [accountId, carrier, key],
      })
      return rows[0] ?? null
    },
    async listByReference(accountId, carrier, reference) {
      const { rows } = await db.query<SandboxConsignment>({
        name: 'sandbox-list-by-reference',
        text: `select ${SANDBOX_CONSIGNMENT_COLUMNS} from sandbox_consignments as c
          where account_id = $1 and carrier = $2 and reference = $3 order by findable_from, consignment_number`,
        values: [accountId, carrier, reference],
      })
      return rows
    },
    async listByNumber(accountId, carrier, numbers) {
      const { rows } = await db.query<SandboxConsignment>({
        name: 'sandbox-list-by-number',
        text: `select ${SANDBOX_CONSIGNMENT_COLUMNS} from sandbox_consignments as c
          where account_id = $1 and carrier = $2 and consignment_number = any($3)`,
        values: [accountId, carrier, numbers],
      })
      return rows
    },
  }
}

async function book(db: Db, made: NewSandboxConsignment): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'sandbox-book',
    text: `with made as (
        insert into sandbox_consignments (account_id, consignment_number, carrier, reference, idempotency_key,
          merchant_reference, request, answer, booked_at, findable_from, due_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10 * interval '1 millisecond', $11)
        on conflict (account_id, carrier, idempotency_key) where idempotency_key is not null do nothing
        returning booked_at)
      insert into sandbox_ledger (account_id, at, carrier, operation, reference, idempotency_key, outcome,
        consignment_number)
      select $1, booked_at, $3, 'book', $6, coalesce($5, $4), 'booked', $2 from made`,
    values: [
      made.accountId,
      made.consignmentNumber,
      made.carrier,
      made.reference,
      made.idempotencyKey,
      made.merchantReference,
      JSON.stringify(made.request),
      JSON.stringify(made.answer),
      instant(made.bookedAtMs),
      made.findableAfterMs,
      made.dueAtMs === null ? null : instant(made.dueAtMs),
    ],
  })
  return rowCount === 1
}

async function cancel(db: Db, consignment: SandboxConsignment, atMs: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'sandbox-cancel',
    text: `with gone as (
        update sandbox_consignments set cancelled_at = $3, due_at = null
        where account_id = $1 and consignment_number = $2 and cancelled_at is null and order_id is null
        returning carrier, merchant_reference, coalesce(idempotency_key, reference) as key)
      insert into sandbox_ledger (account_id, at, carrier, operation, reference, idempotency_key, outcome,
        consignment_number)
      select $1, $3, carrier, 'cancel', merchant_reference, key, 'cancelled', $2 from gone`,
    values: [consignment.accountId, consignment.consignmentNumber, instant(atMs)],
  })
  return rowCount === 1
}

async function record(db: Db, entry: SandboxLedgerEntry): Promise<void> {
  await db.query({
    name: 'sandbox-record',
    text: `insert into sandbox_ledger (account_id, at, carrier, operation, reference, idempotency_key, outcome,
        consignment_number) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      entry.accountId,
      instant(entry.atMs),
      entry.carrier,
      entry.operation,
      entry.reference,
      entry.idempotencyKey,
      entry.outcome,
      entry.consignmentNumber,
    ],
  })
}

/** Lodges an order with all its consignments or not at all, and writes the ledger row in the same statement. */
export async function lodgeSandboxOrder(db: Db, order: NewSandboxOrder): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'sandbox-lodge',
    text: `with theirs as (
        select consignment_number, cancelled_at is null and (order_id is null or not $5) as free
        from sandbox_consignments
        where account_id = $1 and carrier = $2 and consignment_number = any($4)
        order by consignment_number for update),
      complete as (select true as is_complete where (select count(*) from theirs where free) = cardinality($4::text[])),
      marked as (
        update sandbox_consignments as c set order_id = $3 from complete
        where c.account_id = $1 and c.carrier = $2 and c.consignment_number = any($4)),
      made as (
        insert into sandbox_orders (account_id, order_id, carrier, reference, answer, lodged_at, findable_from)
        select $1, $3, $2, $6, $7, $8, now() + $9 * interval '1 millisecond' from complete
        returning lodged_at)
      insert into sandbox_ledger (account_id, at, carrier, operation, reference, idempotency_key, outcome,
        consignment_number)
      select $1, lodged_at, $2, 'manifest', $6, $6, 'lodged', $3 from made`,
    values: [
      order.accountId,
      order.carrier,
      order.orderId,
      order.consignmentNumbers,
      order.once,
      order.reference,
      JSON.stringify(order.answer),
      instant(order.lodgedAtMs),
      order.findableAfterMs,
    ],
  })
  return rowCount === 1
}

export async function listSandboxOrders(
  db: Db,
  accountId: string,
  carrier: string,
  reference: string,
): Promise<SandboxOrder[]> {
  const { rows } = await db.query<SandboxOrder>({
    name: 'sandbox-list-orders',
    text: `select order_id as "orderId", answer, findable_from <= now() as findable from sandbox_orders
      where account_id = $1 and carrier = $2 and reference = $3 order by findable_from, order_id`,
    values: [accountId, carrier, reference],
  })
  return rows
}

/** `sandbox_consignments as c` as the carriers read it; the wall clock decides whether a look-up finds it. */
export const SANDBOX_CONSIGNMENT_COLUMNS = `c.account_id as "accountId", c.carrier,
  c.consignment_number as "consignmentNumber", c.reference, c.idempotency_key as "idempotencyKey",
  c.merchant_reference as "merchantReference", c.request, c.answer, c.booked_at as "bookedAtMs",
  c.cancelled_at as "cancelledAtMs", c.order_id as "orderId", c.findable_from <= now() as findable, c.pushed`

import type { NewSandboxOrder, SandboxOrder } from '../../carriers/sandbox/engine/sandbox-store.ts'
import { type Db, instant } from '../db/db.ts'

/** Lodges an order with all its consignments or not at all, and writes the ledger row in the same statement. */
export async function lodgeSandboxOrder(db: Db, order: NewSandboxOrder): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'sandbox-lodge',
    text: `with theirs as (
        select consignment_number, cancelled_at is null and (order_id is null or not $5) as free
        from sandbox_consignments
        where account_id = $1 and carrier = $2 and consignment_number = any($4)
        order by consignment_number for update),
      complete as (select where (select count(*) from theirs where free) = cardinality($4::text[])),
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

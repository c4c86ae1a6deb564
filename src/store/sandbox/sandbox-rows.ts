/** `sandbox_consignments as c` as the carriers read it; whether a look-up sees it is the wall clock's say. */
export const SANDBOX_CONSIGNMENT_COLUMNS = `c.account_id as "accountId", c.carrier,
  c.consignment_number as "consignmentNumber", c.reference, c.idempotency_key as "idempotencyKey",
  c.merchant_reference as "merchantReference", c.request, c.answer, c.booked_at as "bookedAtMs",
  c.cancelled_at as "cancelledAtMs", c.order_id as "orderId", c.findable_from <= now() as findable, c.pushed`

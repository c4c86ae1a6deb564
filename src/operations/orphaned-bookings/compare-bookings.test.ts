import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ON_CITUS } from '../../../test/database.ts'
import { restoredAfter } from '../../../test/restored-database.ts'
import { compareBookings } from './compare-bookings.ts'

test('a booking of another account, of an own courier’s delivery or at a carrier that the workers don’t ask has its own reason', {
  skip: ON_CITUS && 'Citus moves no delivery to another account',
}, async (t) => {
  const standard = { deliveryType: 'standard' } as const
  const orders = { 'ASKED-1': standard, 'OWN-1': standard, 'OTHER-1': standard }
  const { fixture, read, prepare } = await restoredAfter(t, orders)
  const { db } = fixture.deps
  const [asked, own, other] = await Promise.all(
    Object.keys(orders).map(async (name) => (await read(name)).id),
  )
  const compare = async (provider: string, id: string | undefined) => {
    const [row] = await compareBookings(fixture.deps, fixture.demo(), provider, [`${id}-1`])
    return [row?.action, row?.reason]
  }
  await db.query(
    `update deliveries set content = jsonb_set(content::jsonb, '{staffCourier}', '{"phone": "+61491570156"}') where delivery_id = $1`,
    [own],
  )
  for (const table of ['events', 'booking_intents']) await db.query(`delete from ${table}`)
  await db.query(
    `update deliveries as d set account_id = s.account_id, store_id = s.store_id, brand_id = b.brand_id
     from stores as s join brands as b using (account_id) where d.delivery_id = $1 and s.account_id = 'acme-byoc'`,
    [other],
  )
  await prepare()

  assert.deepEqual(await compare('southern_parcels', asked), [
    'none',
    'Its delivery is not booked. The workers look it up.',
  ])
  assert.deepEqual(await compare('big_haul', asked), [
    'cancel',
    'Its delivery is not booked, and the workers won’t look up this booking.',
  ])
  assert.deepEqual(await compare('southern_parcels', own), [
    'cancel',
    'Its delivery is for one of the store’s own couriers.',
  ])
  await db.query(`update deliveries set status = 'assigned' where delivery_id = $1`, [own])
  assert.deepEqual(await compare('southern_parcels', own), [
    'cancel',
    'Its delivery is for one of the store’s own couriers.',
  ])
  assert.deepEqual(await compare('southern_parcels', other), [
    'none',
    'Its delivery belongs to account acme-byoc. Compare the list with that account.',
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { battery, liveConsignment as consignment } from '../../../../test/live-carriers.ts'
import { isRef, partsOf, refOf } from '../../kit/split-shipment-refs.ts'
import type { Consignment } from '../../port/carrier.ts'
import { formatShipments } from './format.ts'
import { Settings } from './settings.ts'

const auspost = Settings.parse({ account_number: '0000123456' })
const startrack = Settings.parse({ account_number: '10123456' })

test('a booking is one shipment with one item for each unit and our key as reference', () => {
  const [shipment, ...others] = shipmentsOf({})
  assert.equal(others.length, 0)
  assert.equal(shipment.shipment_reference, 'dlv_01-1')
  assert.deepEqual(shipment.sender_references, ['dlv_01-1', 'A-17'])
  assert.equal(shipment.despatch_date, '2026-11-24')
  assert.deepEqual(
    shipment.items.map(({ item_reference, item_description }) => `${item_reference} ${item_description}`),
    ['1.1 P1', '1.2 P1', '2.1 P2'],
  )
  assert.deepEqual(shipment.to.lines, ['9 Elm St'])
  assert.equal(shipment.to.delivery_instructions, 'Ring twice')
})

/**
 * Handover options → product, authority to leave, identity. Signature and ID check override the authority to
 * leave.
 */
const HANDOVERS: readonly [
  changes: Partial<Consignment>,
  product: string,
  left: boolean,
  identity: boolean,
][] = [
  [{ authorityToLeave: true }, 'T28', true, false],
  [{ authorityToLeave: false }, 'T28', false, false],
  [{ authorityToLeave: true, signatureRequired: true }, 'T28S', false, false],
  [{ authorityToLeave: true, idCheckRequired: true }, 'T28S', false, true],
  [{ carrierCode: '3D55', signatureRequired: true }, '3D55', false, false],
]

test('sets authority to leave, signature and identity check', () => {
  for (const [changes, product, left, identity] of HANDOVERS) {
    const item = itemOf(changes)
    const features = item.features as object | undefined
    assert.deepEqual(
      [
        item.product_id,
        item.authority_to_leave,
        item.safe_drop_enabled,
        'IDENTITY_ON_DELIVERY' in (features ?? {}),
      ],
      [product, left, left, identity],
      JSON.stringify(changes),
    )
  }
})

test('the declared value is insured in equal shares unless the account turns cover off', () => {
  // $129.50 over three items.
  assert.deepEqual(itemOf({}).features, { TRANSIT_COVER: { attributes: { cover_amount: 43.17 } } })
  assert.equal(itemOf({ declaredValueCents: null }).features, undefined)
  const none = { ...auspost, transit_cover: 'none' as const }
  assert.equal(formatShipments(consignment, none)?.shipments[0]?.items[0]?.features, undefined)
})

test('a shipment has at most 20 items at Australia Post, more at StarTrack', () => {
  const parcels = [{ ...consignment.parcels[0]!, quantity: 41 }]
  const counts = (settings: typeof auspost) =>
    formatShipments({ ...consignment, parcels }, settings)?.shipments.map(({ items }) => items.length)
  assert.deepEqual(counts(auspost), [20, 20, 1])
  assert.deepEqual(counts(startrack), [41])
  assert.deepEqual(
    shipmentsOf({ parcels }).map(({ shipment_reference }) => shipment_reference),
    ['dlv_01-1', 'dlv_01-1/2', 'dlv_01-1/3'],
  )
})

test('dangerous goods are described on a shipment with one UN entry and declared on its items', () => {
  const [plain, , ...more] = consignment.parcels
  const parcels = [plain!, { ...plain!, reference: 'B', dangerousGoods: battery }, ...more]
  const [harmless, dangerous] = shipmentsOf({ parcels })
  assert.equal('dangerous_goods' in harmless, false)
  assert.equal(
    harmless.items.every(({ contains_dangerous_goods }) => !contains_dangerous_goods),
    true,
  )
  assert.deepEqual('dangerous_goods' in dangerous! && dangerous.dangerous_goods, {
    un_number: '3481',
    technical_name: 'Lithium ion batteries packed with equipment',
    net_weight: 0.8,
    class_division: '9',
    outer_packaging_type: 'CTN',
    outer_packaging_quantity: 2,
  })
  const [item] = dangerous!.items
  assert.deepEqual(
    [item!.contains_dangerous_goods, 'transportable_by_air' in item! && item.transportable_by_air],
    [true, true],
  )
})

test('a street is wrapped between words, and never cut', () => {
  const at = (address: string, settings = auspost) =>
    formatShipments({ ...consignment, to: { ...consignment.to, address, address2: 'Unit 4' } }, settings)
      ?.shipments[0]?.to.lines
  assert.deepEqual(at('128 Old Great Northern Highway Extension North'), [
    'Unit 4, 128 Old Great Northern Highway',
    'Extension North',
  ])
  assert.equal(at('word '.repeat(40)), undefined)
  assert.equal(at('x'.repeat(41)), undefined)
  assert.equal(at('word '.repeat(20))?.length, 3)
  assert.equal(at('word '.repeat(20), startrack), undefined)
})

test('our reference for a booking encodes the carrier’s ids, whatever characters they have', () => {
  const parts = [
    { shipmentId: '9lesEAOv/Om4+AA', consignmentId: '2JD5418133' },
    { shipmentId: 'b.c_d', consignmentId: 'LKIZ50000387' },
  ]
  assert.deepEqual(partsOf(refOf(parts)), parts)
  assert.equal(isRef(refOf(parts)), true)
  for (const odd of ['', 'X', 'X 1/2', '/', 'a/b/c', '%']) {
    assert.equal(isRef(odd), false, odd)
    assert.deepEqual(partsOf(odd), [{ shipmentId: '', consignmentId: odd }])
  }
})

function shipmentsOf(changes: Partial<Consignment>) {
  const formatted = formatShipments({ ...consignment, ...changes }, auspost)
  assert.ok(formatted)
  const [first, ...others] = formatted.shipments
  assert.ok(first)
  return [first, ...others] as const
}

function itemOf(changes: Partial<Consignment>) {
  const [{ items }] = shipmentsOf(changes)
  return items[0]!
}

import assert from 'node:assert/strict'
import test from 'node:test'
import { consignment as base } from '../../../../test/sandbox-carriers.ts'
import { formatConsignment, formatQuote, lackingOf } from './format.ts'
import { Settings } from './settings.ts'

const consignment = { ...base, carrierCode: 'P', from: { ...base.from, postCode: '3000' } }
const HERE = { address: '200 Bourke St.', post_code: '3000' }
const settings = Settings.parse({ sends_from: HERE })

test('a consignment has our key and one item for each unit', () => {
  const parcels = [{ ...base.parcels[0]!, quantity: 2, weightKg: 1.25, lengthCm: 30.04 }]
  const body = formatConsignment({ ...consignment, parcels }, settings)
  assert.equal(body.ConTypeId, 1)
  assert.equal(body.ExternalRef1, 'dlv_01-1')
  assert.equal(body.ExternalRef2, 'A-17')
  assert.equal(body.InstructionsPublic, 'Ring twice')
  assert.ok(!('From' in body))
  assert.deepEqual(
    body.Items.map((item) => [item.Quantity, item.Reference]),
    [
      [1, '1.1'],
      [1, '1.2'],
    ],
  )
  const { widthCm, heightCm } = parcels[0]!
  assert.deepEqual(body.Items[0], {
    ...{ Quantity: 1, Reference: '1.1', PackageType: 'P', WeightDead: 1.25 },
    ...{ Length: 30.1, Width: widthCm, Height: heightCm },
  })
})

test('a satchel has a size instead of dimensions', () => {
  const [item] = formatConsignment({ ...consignment, carrierCode: 'A4' }, settings).Items
  assert.deepEqual(item, { Quantity: 1, Reference: '1.1', PackageType: 'S', SatchelSize: 'A4' })
})

test('a reseller’s consignment has the pickup address and its instructions', () => {
  const anywhere = Settings.parse({ sends_from: 'anywhere' })
  const body = formatConsignment({ ...consignment, pickupInstructions: 'Dock 2' }, anywhere)
  assert.equal(body.ConTypeId, 5)
  assert.ok('From' in body)
  assert.equal(body.From.Address.StreetAddress, '200 Bourke St')
  assert.equal(body.FromInstructionsPublic, 'Dock 2')
})

test('delivery instructions use the codes that the account has', () => {
  const cases: [Partial<typeof consignment>, object, string | undefined][] = [
    [{ authorityToLeave: true }, {}, 'ATL'],
    [{ authorityToLeave: true, signatureRequired: true }, {}, 'SGR'],
    [{ authorityToLeave: false }, {}, undefined],
    [{ authorityToLeave: true }, { delivery_options: null }, undefined],
    [{ authorityToLeave: true }, { delivery_options: { service: 'D', leave: 'L', signature: 'S' } }, 'L'],
  ]
  for (const [changes, more, code] of cases) {
    const settings = Settings.parse({ sends_from: HERE, ...more })
    const body: { Services?: { ServiceItemCode: string }[] } = formatConsignment(
      { ...consignment, ...changes },
      settings,
    )
    assert.equal(body.Services?.[0]?.ServiceItemCode, code)
  }
})

test('a customer without phone or email gets the account’s contact details', () => {
  const to = { ...consignment.to, phone: null, email: null }
  const settings = { sends_from: HERE, contact_phone: '+61355500111', contact_email: 'shop@example.com' }
  const { To } = formatConsignment({ ...consignment, to }, Settings.parse(settings))
  assert.deepEqual([To.PhoneNumber, To.Email], ['+61355500111', 'shop@example.com'])
})

test('a price request has no personal data, and no street if it is unknown', () => {
  const end = { ...consignment.to, address: null, business: false }
  const { To } = formatQuote({ ...consignment, from: end, to: end, carrierCodes: ['P'] }, 'P', settings)
  assert.deepEqual(To, {
    Address: {
      ...{ StreetAddress: '', Locality: 'Fitzroy', StateOrProvince: 'VIC' },
      ...{ PostalCode: '3065', Country: consignment.to.country },
    },
  })
})

test('deliveries that the carrier does not accept are rejected without a request to it', () => {
  const many = [{ ...base.parcels[0]!, quantity: 21 }]
  const sized = (lengthCm: number, widthCm: number, heightCm: number) => ({
    parcels: [{ ...base.parcels[0]!, lengthCm, widthCm, heightCm }],
  })
  const cases: [Partial<typeof consignment>, string, RegExp | null][] = [
    [{}, 'P', null],
    [{}, 'A4', null],
    [{}, 'T28', /no product T28/],
    [{ from: { ...consignment.from, postCode: '2000' } }, 'P', /from 200 Bourke St. 3000 alone/],
    [{ from: { ...consignment.from, address: '201 Bourke St' } }, 'P', /alone/],
    [{ idCheckRequired: true }, 'P', /identity/],
    [{ parcels: many }, 'P', /20 labels/],
    [sized(106, 105, 105), 'P', null],
    [sized(106, 20, 105.01), 'P', /two sides over 105 cm/],
    [sized(20, 106, 106), 'A5', null],
  ]
  for (const [changes, code, message] of cases) {
    const lacking = lackingOf({ ...consignment, ...changes }, code, settings)
    if (message) assert.match(lacking ?? '', message)
    else assert.equal(lacking, null)
  }
})

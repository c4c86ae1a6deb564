import assert from 'node:assert/strict'
import { test } from 'node:test'
import { liveConsignment as consignment, liveCarrier } from '../../../../test/live-carriers.ts'

const end = { business: false }
const ask = {
  ...consignment,
  carrierCodes: ['NOW'],
  from: { ...consignment.from, ...end },
  to: { ...consignment.to, ...end },
}

test('alcohol is quoted with the ID check that its booking has', async (t) => {
  const carrier = (await liveCarrier(t, 'doordash')).carrier()
  const wine = { productTypes: ['alcohol'], idCheckRequired: true, signatureRequired: true } as const
  const quoted = await carrier.rates!({ ...ask, ...wine })
  assert.equal(quoted.kind, 'yes', JSON.stringify(quoted))
  const booked = await carrier.book({ ...consignment, ...wine })
  assert.equal(booked.kind, 'yes', JSON.stringify(booked))
})

test('many units with a long name are booked, and a missing phone number allows another carrier', async (t) => {
  const live = await liveCarrier(t, 'doordash')
  const carrier = live.carrier()
  const parcels = [{ ...consignment.parcels[0]!, reference: 'R'.repeat(120), quantity: 101 }]
  const booked = await carrier.book({ ...consignment, parcels })
  assert.equal(booked.kind, 'yes', JSON.stringify(booked))

  const to = { ...consignment.to, phone: null }
  const unreachable = { ...consignment, key: 'dlv_02-1', to }
  const outcome = await carrier.book(unreachable)
  assert.equal(outcome.kind === 'no' && outcome.retry, 'another_carrier')
  assert.equal(live.bookings(), 1)
  const standIn = await live.carrier({}, { pickup_phone: '+61355501234' }).book(unreachable)
  assert.equal(standIn.kind, 'yes', JSON.stringify(standIn))
})

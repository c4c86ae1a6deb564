import assert from 'node:assert/strict'
import test from 'node:test'
import { consignment } from '../../../../test/sandbox-carriers.ts'
import { formatJob } from './index.ts'

test('a job names its pickup, its drop-off and its times', () => {
  const job = formatJob(consignment)
  assert.deepEqual(
    [job.external_id, job.pickup.street, job.pickup.ready_at, job.dropoff.street, job.dropoff.between],
    [
      'A-17',
      '200 Bourke St',
      '2026-11-24T00:00:00.000Z',
      '9 Elm St',
      { start: '2026-11-24T03:00:00.000Z', end: '2026-11-24T05:00:00.000Z' },
    ],
  )
})

test('weights are rounded up to grams, dimensions to millimetres', () => {
  const [parcel] = consignment.parcels
  const odd = { ...parcel!, weightKg: 0.0001, lengthCm: 30.01 }
  const [item] = formatJob({ ...consignment, parcels: [odd] }).items
  assert.deepEqual([item?.grams, item?.millimetres], [1, [301, 200, 100]])
})

test('the same consignment always produces the same job, as its idempotency key requires', () => {
  assert.deepEqual(formatJob(JSON.parse(JSON.stringify(consignment))), formatJob(consignment))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { control, liveCarrier, liveConsignment } from '../../../../test/live-carriers.ts'
import { isWhole } from '../../kit/label-poller.ts'
import type { Outcome } from '../../port/carrier.ts'

test('a pending label is polled, not created again', async (t) => {
  const { live, ref, carrier } = await booked(t)
  await control(live.fake, '/_fake/labels', { pending_seconds: 60 })
  const pending = await carrier.label!.fetch(ref, 'pdf')
  assert.deepEqual(pending, { kind: 'no', retry: 'later', message: 'its labels are still being made' })
  await live.advance(2)
  assert.equal(
    yes(await carrier.label!.fetch(ref, 'pdf'))
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  )
  assert.equal(live.fake.ledger.entries({ what: 'labels_requested' }).length, 1)
})

test('after a time-out the next label request does not wait', async (t) => {
  const { live, ref, carrier } = await booked(t)
  live.fake.faults.add({ operation: 'create_labels', kind: 'lost' })
  assert.equal((await carrier.label!.fetch(ref, 'pdf')).kind, 'unknown')
  const pending = await carrier.label!.fetch(ref, 'pdf')
  assert.deepEqual(pending, { kind: 'no', retry: 'later', message: 'its labels are still being made' })
  await live.advance(2)
  yes(await carrier.label!.fetch(ref, 'pdf'))
})

test('an expired label link is renewed', async (t) => {
  const { live, ref, carrier } = await booked(t)
  live.fake.faults.add({ operation: 'download_label', kind: 'status', status: 403 })
  assert.equal((await carrier.label!.fetch(ref, 'zpl')).kind, 'no')
  assert.match(yes(await carrier.label!.fetch(ref, 'zpl')).toString(), /\^XA/)
  assert.equal(live.fake.ledger.entries({ what: 'labels_requested' }).length, 1)
})

test('failed labels are created again, and a truncated label is rejected', async (t) => {
  const { live, ref, carrier } = await booked(t)
  await control(live.fake, '/_fake/labels', { fail_next: 1 })
  assert.equal((await carrier.label!.fetch(ref, 'pdf')).kind, 'no')
  live.fake.faults.add({ operation: 'download_label', kind: 'garbled' })
  const half = await carrier.label!.fetch(ref, 'pdf')
  assert.equal(half.kind, 'no')
  yes(await carrier.label!.fetch(ref, 'pdf'))
})

test('ZPL of many labels is requested in parts and joined to one document', async (t) => {
  const { live, ref, carrier } = await booked(t, 120)
  const document = yes(await carrier.label!.fetch(ref, 'zpl')).toString()
  assert.equal(document.match(/\^XA/g)?.length, 120)
  const requests = live.fake.ledger.entries({ what: 'labels_requested' })
  assert.deepEqual(
    requests.map(({ article_ids }) => (article_ids as string[]).length),
    [50, 50, 20],
  )
  const ids = requests.flatMap(({ article_ids }) => article_ids as string[])
  assert.equal(new Set(ids).size, 120, 'each parcel once')

  assert.equal(yes(await carrier.label!.fetch(ref, 'zpl')).toString(), document)
  const asked = live.fake.ledger
    .entries({ what: 'request' })
    .filter(({ operation }) => operation === 'create_labels')
  assert.equal(asked.length, 4, 'the one that was too many, and three slices')
  yes(await carrier.label!.fetch(ref, 'pdf'))
})

test('pending slices are polled, not created again', async (t) => {
  const { live, ref, carrier } = await booked(t, 60)
  await control(live.fake, '/_fake/labels', { pending_seconds: 60 })
  const pending = { kind: 'no', retry: 'later', message: 'its labels are still being made' }
  assert.deepEqual(await carrier.label!.fetch(ref, 'zpl'), pending)
  await live.advance(2)
  assert.deepEqual(await carrier.label!.fetch(ref, 'zpl'), pending, 'the second slice')
  await live.advance(2)
  assert.equal(
    yes(await carrier.label!.fetch(ref, 'zpl'))
      .toString()
      .match(/\^XA/g)?.length,
    60,
  )
  assert.equal(live.fake.ledger.entries({ what: 'labels_requested' }).length, 2)
})

test('a document is complete if it has its header and its trailer', () => {
  const cases = [
    ['%PDF-1.7 … %%EOF\n', 'pdf', true],
    ['%PDF-1.7 …', 'pdf', false],
    ['<Error>Access denied</Error>', 'pdf', false],
    ['^XA^FDx^FS^XZ', 'zpl', true],
    ['^XA^FDx', 'zpl', false],
  ] as const
  for (const [text, format, expected] of cases)
    assert.equal(isWhole(Buffer.from(text), format), expected, text)
})

test('a label truncated at any byte is rejected', async (t) => {
  const { ref, carrier } = await booked(t)
  const pdf = yes(await carrier.label!.fetch(ref, 'pdf'))
  assert.ok(isWhole(pdf, 'pdf'))
  const ends = pdf.lastIndexOf('%%EOF') + '%%EOF'.length
  for (let length = 0; length < ends; length++) {
    assert.ok(!isWhole(pdf.subarray(0, length), 'pdf'), `${length} of ${pdf.length} bytes`)
  }
})

async function booked(t: Parameters<typeof liveCarrier>[0], parcels = 1) {
  const live = await liveCarrier(t, 'auspost')
  const carrier = live.carrier()
  const [parcel] = liveConsignment.parcels
  const consignment = { ...liveConsignment, parcels: [{ ...parcel!, quantity: parcels }] }
  const { carrierRef: ref = '' } = yes(await carrier.book(consignment))
  return { live, carrier, ref }
}

function yes<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'yes') assert.fail(JSON.stringify(outcome))
  return outcome.value
}

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { deliveryBody, testApi } from '../../../test/api.ts'
import { runProgram } from '../../../test/program.ts'
import { prepareAfterRestore } from '../../operations/restore/after-restore.ts'

test('compare says what to do about each booking of a carrier’s list', async (t) => {
  const { call, fixture } = await testApi(t, { work: false })
  const folder = await mkdtemp(join(tmpdir(), 'drover-compare-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'list.csv')
  const env = { DATABASE_URL: fixture.databaseUrl, DROVER_SECRET_KEY: 'k'.repeat(43) }
  const compare = (...more: string[]) =>
    runProgram(['bookings', 'compare', file, '--account', 'demo', ...more], { env })
  const create = async (reference: string, over: object) =>
    (await call('POST /demo/deliveries', { body: deliveryBody({ reference, ...over }) })).json.data
  const booked = await create('BOOKED-1', { delivery_type: 'standard', book_delivery_now: true })
  assert.equal(booked.status, 'booked')
  const waiting = await create('WAITING-1', { delivery_type: 'standard' })
  const { id: ended } = await create('ENDED-1', {})
  await call('PATCH /demo/deliveries/ENDED-1/request-cancel', { body: {} })
  const unknown = `dlv_${'0'.repeat(26)}`
  const keys = [
    `${unknown}-1`,
    `${booked.id}-1`,
    `${booked.id}-2`,
    `${waiting.id}-1`,
    `${waiting.id}-6`,
    `${ended}-1`,
  ]
  await writeFile(
    file,
    `Consignment,Ref\nC0,"Ref: ${keys[0]?.toUpperCase()} / ${keys[1]}"\n${keys
      .slice(2)
      .map((key, n) => `C${n},"Ref: ${key}"`)
      .join('\n')}\nC9,other\n`,
  )
  const actions = async () => {
    const { code, out, err } = await compare('--carrier', 'southern_parcels', '--json')
    assert.deepEqual([code, err], [0, ''])
    const { bookings, rows_without_key } = JSON.parse(out)
    assert.equal(rows_without_key, 2)
    return bookings.map(({ key, action, reason }: { key: string; action: string; reason: string }) => [
      ...[key, action, reason.split(/[,.]/)[0]],
    ])
  }
  const others = [
    [keys[0], 'cancel', 'The database has no such delivery'],
    [keys[1], 'none', 'Its delivery uses this booking'],
    [keys[2], 'cancel', 'Its delivery is booked with Southern Parcels'],
  ]
  const notBooked = 'Its delivery is not booked'
  const last = [keys[5], 'cancel', 'Its delivery has ended and doesn’t need this booking']
  assert.deepEqual(await actions(), [
    ...others,
    [keys[3], 'none', notBooked],
    [keys[4], 'none', notBooked],
    last,
  ])
  await prepareAfterRestore(fixture.deps, { momentMs: Date.now(), withoutBookings: new Set() })
  assert.deepEqual(await actions(), [
    ...others,
    [keys[3], 'none', notBooked],
    [keys[4], 'cancel', notBooked],
    last,
  ])

  assert.match(
    (await compare('--carrier', 'southern_parcels')).out,
    /WAITING-1 +nothing +Its delivery is not booked\. The/,
  )
  const refused = await compare('--carrier', 'southern')
  assert.equal(refused.code, 1)
  assert.match(refused.err, /^demo has no carrier southern\. Use one of these: .*southern_parcels/)
  await writeFile(file, 'Consignment\nC1\n')
  assert.match((await compare('--carrier', 'southern_parcels')).err, /contains no Drover key/)
})

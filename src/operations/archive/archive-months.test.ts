import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parquetReadObjects } from 'hyparquet'
import type { QueryConfig } from 'pg'
import { book, read } from '../../../test/booked-deliveries.ts'
import { testFixture } from '../../../test/fixture.ts'
import { deliveryRequest } from '../../../test/requests.ts'
import { folderStorage } from '../../outbound/archive-storage.ts'
import { ARCHIVE_TABLES } from '../../store/archive/archive-rows.ts'
import { eraseDelivery } from '../deliveries/erase-delivery.ts'
import { archiveMonths, listMonths } from './archive-months.ts'

const DAY_MS = 86_400_000
const LATER_MS = Date.now() + 100 * DAY_MS

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'drover-archive-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

async function readParquet(path: string): Promise<Record<string, unknown>[]> {
  const { buffer, byteOffset, byteLength } = readFileSync(path)
  return parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer })
}

test('a month is written 60 days after its end', () => {
  const at = (time: string) => Date.parse(time)
  const names = (first: string, now: string) => listMonths(at(first), at(now)).map(({ name }) => name)
  assert.deepEqual(names('2026-08-31T23:59Z', '2026-10-31T00:00Z'), ['2026-08'])
  assert.deepEqual(names('2026-08-31T23:59Z', '2026-10-30T23:59Z'), [])
  assert.deepEqual(names('2026-11-30T00:00Z', '2027-04-02T00:00Z'), ['2026-11', '2026-12', '2027-01'])
})

test('the archive has every delivery of a month with its rows, and nothing that identifies the customer', async (t) => {
  const fixture = await testFixture(t)
  const { db } = fixture.deps
  const delivery = await book(fixture, 'ARCHIVED')
  const erased = await book(fixture, 'ERASED')
  await db.query(`update deliveries set status = 'delivered' where delivery_id = $1`, [erased.id])
  await eraseDelivery(fixture.deps, fixture.demo(), erased.id, async () => {})
  const folder = folderOf(t)
  const options = { db, storage: folderStorage(folder), accountId: 'demo', nowMs: LATER_MS }
  const [archived, ...others] = await archiveMonths(options)
  assert.deepEqual([archived?.deliveries, others], [2, []])
  const pathOf = (table: string) =>
    join(folder, table, 'account=demo', `month=${archived?.month}`, `${table}.parquet`)
  const deliveries = await readParquet(pathOf('deliveries'))
  const [row] = deliveries.filter(({ reference }) => reference === 'ARCHIVED')
  const { address, chosen } = { address: deliveryRequest.address, chosen: delivery.chosen }
  assert.deepEqual(
    [row?.delivery_id, row?.status, row?.city, row?.postcode, row?.provider, row?.quoted_cents, row?.erased],
    [
      delivery.id,
      'booked',
      address.city,
      address.postCode,
      chosen?.provider,
      BigInt(chosen?.priceCents ?? 0),
      false,
    ],
  )
  assert.deepEqual(row?.booked_at, new Date(delivery.bookedAtMs as number))
  const counted = await db.query(
    `select (select count(*)::int from events where account_id = 'demo' and stream <> '') as events,
      (select count(*)::int from messages where account_id = 'demo' and delivery_id is not null) as messages,
      (select count(*)::int from booking_intents where account_id = 'demo') as booking_attempts`,
  )
  for (const table of ['events', 'messages', 'booking_attempts']) {
    const rows = existsSync(pathOf(table)) ? await readParquet(pathOf(table)) : []
    assert.equal(rows.length, counted.rows[0][table], table)
    for (const each of rows) assert.deepEqual(Object.keys(each), namesOf(table))
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const all = Buffer.concat(
    files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))),
  ).toString('latin1')
  const { customer } = deliveryRequest
  for (const personal of [
    customer.firstName,
    customer.lastName,
    customer.phone,
    customer.email,
    address.address,
  ])
    assert.ok(!all.includes(String(personal)), String(personal))
  assert.ok(all.includes('ARCHIVED'), 'the test would see it')
  assert.deepEqual(await archiveMonths(options), [], 'the month is not written again')
  assert.equal((await read(fixture, 'ARCHIVED')).status, 'booked', 'the database keeps it')
})

test('a month that was cut short is written again; an account that does not exist is refused', async (t) => {
  const fixture = await testFixture(t)
  await book(fixture, 'CUT-SHORT')
  const storage = folderStorage(folderOf(t))
  const broken = {
    ...storage,
    put: async (name: string, content: Buffer) => {
      if (name.startsWith('deliveries/')) throw new Error('No space left.')
      await storage.put(name, content)
    },
  }
  const options = { db: fixture.deps.db, accountId: 'demo', nowMs: LATER_MS }
  const causedByFullDisk = ({ cause }: Error) => /No space left/.test(String(cause))
  await assert.rejects(archiveMonths({ ...options, storage: broken }), causedByFullDisk)
  assert.equal((await archiveMonths({ ...options, storage })).length, 1)
  await assert.rejects(
    archiveMonths({ ...options, storage, accountId: 'nobody' }),
    /There is no account nobody/,
  )
})

test('an account that fails does not stop the others', async (t) => {
  const fixture = await testFixture(t)
  const { db } = fixture.deps
  await book(fixture, 'OTHERS')
  await db.query(`insert into accounts (account_id, version, mode) values ('a-first', 1, 'sandbox')`)
  const query = async (asked: QueryConfig) => {
    if (asked.values?.[0] === 'a-first') throw new Error('Its rows cannot be read.')
    return db.query(asked)
  }
  const storage = folderStorage(folderOf(t))
  const written: string[] = []
  const failed: string[] = []
  const archiving = archiveMonths({
    db: { query } as typeof db,
    storage,
    accountId: null,
    nowMs: LATER_MS,
    onMonth: ({ accountId }) => written.push(accountId),
    onFailure: (accountId) => failed.push(accountId),
  })
  await assert.rejects(archiving, /^Error: 1 of 3 accounts could not be archived/)
  assert.deepEqual([failed, written], [['a-first'], ['demo']])
})

function namesOf(table: string): string[] {
  return ARCHIVE_TABLES[table as keyof typeof ARCHIVE_TABLES].columns.map(({ name }) => name)
}

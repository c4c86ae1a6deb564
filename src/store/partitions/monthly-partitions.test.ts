import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ON_CITUS, testDatabase } from '../../../test/database.ts'
import { idAt } from '../db/id-times.ts'
import { findPartitioned, listPartitions, maintainPartitions, monthsFrom } from './monthly-partitions.ts'
import { partition } from './partition.ts'

const skip = ON_CITUS
const at = (time: string) => Date.parse(time)

test('months are UTC months, over the end of a year too', () => {
  const months = monthsFrom(at('2026-12-31T23:59:59.999Z'), 2)
  assert.deepEqual(months, [
    { name: '2026_12', fromMs: at('2026-12-01T00:00Z'), toMs: at('2027-01-01T00:00Z') },
    { name: '2027_01', fromMs: at('2027-01-01T00:00Z'), toMs: at('2027-02-01T00:00Z') },
  ])
  assert.equal(monthsFrom(at('2027-01-01T00:00Z'), 1)[0]?.name, '2027_01')
})

test('housekeeping creates the months ahead, and leaves tables alone that are not partitioned', {
  skip,
}, async (t) => {
  const { url, pool } = await testDatabase(t)
  if ((await findPartitioned(pool)).length > 0) return
  assert.equal(await maintainPartitions(pool, Date.now()), 0)
  await partition(url, { nowMs: at('2026-03-10T00:00Z') })
  const names = async () => (await listPartitions(pool, 'messages')).map(({ name }) => name)
  const first = ['messages_earliest', 'messages_2026_04', 'messages_2026_05', 'messages_default']
  assert.deepEqual(await names(), first)
  assert.equal(await maintainPartitions(pool, at('2026-03-31T23:59Z')), 0)
  assert.equal(await maintainPartitions(pool, at('2026-04-01T00:00Z')), 4, 'one for each table')
  assert.deepEqual((await names()).slice(-2), ['messages_2026_06', 'messages_default'])
  assert.equal(await maintainPartitions(pool, at('2026-04-01T00:00Z')), 0)
})

test('months that a clock far ahead has dropped are created again', { skip }, async (t) => {
  const { url, pool } = await testDatabase(t)
  if ((await findPartitioned(pool)).length > 0) return
  await partition(url, { nowMs: at('2026-03-10T00:00Z') })
  const names = async () => (await listPartitions(pool, 'messages')).map(({ name }) => name)
  await maintainPartitions(pool, at('2027-03-10T00:00Z'))
  assert.ok(!(await names()).includes('messages_2026_05'))
  await maintainPartitions(pool, at('2026-05-10T00:00Z'))
  for (const month of ['2026_05', '2026_06', '2026_07'])
    assert.ok((await names()).includes(`messages_${month}`), month)
  assert.equal(await maintainPartitions(pool, at('2026-05-10T00:00Z')), 0)
})

test('the months follow the database’s clock, whatever a worker’s clock shows', { skip }, async (t) => {
  const { url, pool } = await testDatabase(t)
  if ((await findPartitioned(pool)).length > 0) return
  await partition(url)
  t.mock.timers.enable({ apis: ['Date'], now: at('2040-01-01T00:00Z') })
  assert.equal(await maintainPartitions(pool), 0)
})

test('rows that came before their month existed move into it', { skip }, async (t) => {
  const { url, pool } = await testDatabase(t)
  if ((await findPartitioned(pool)).length > 0) return
  await partition(url, { nowMs: at('2026-03-10T00:00Z') })
  const write = (time: string) =>
    pool.query(
      `insert into events (account_id, stream, event_id, type, at, source) values ('a', $1, 'evt_1', 'created', now(), 'drover')`,
      [`${idAt('dlv', at(time))}0000000000000000`],
    )
  // Workers stood still from March to July.
  for (const time of [
    '2026-04-30T23:59:59.999Z',
    '2026-06-01T00:00Z',
    '2026-07-15T00:00Z',
    '2026-08-01T00:00Z',
  ])
    await write(time)
  await maintainPartitions(pool, at('2026-07-15T00:00Z'))
  const { rows } = await pool.query('select tableoid::regclass::text as name from events order by stream')
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['events_2026_04', 'events_2026_06', 'events_2026_07', 'events_2026_08'],
  )
})

test('a month is dropped once it is empty and two months old, and later rows are kept', {
  skip,
}, async (t) => {
  const { url, pool } = await testDatabase(t)
  if ((await findPartitioned(pool)).length > 0) return
  await partition(url, { nowMs: at('2026-03-10T00:00Z') })
  const write = (time: string) =>
    pool.query(
      `insert into messages (account_id, message_id, kind, recipient, template, status, created_at, expires_at)
       values ('a', $1, 'sms', '', 'booked', 'sent', now(), now())`,
      [`${idAt('msg', at(time))}0000000000000000`],
    )
  await pool.query('alter table messages drop constraint messages_account_id_fkey')
  await write('2026-05-10T00:00Z')
  await maintainPartitions(pool, at('2026-07-02T00:00Z'))
  await maintainPartitions(pool, at('2026-09-15T00:00Z'))
  const names = async () =>
    (await listPartitions(pool, 'messages')).map(({ name }) => name.slice('messages_'.length))
  assert.deepEqual(await names(), [
    '2026_05',
    '2026_07',
    '2026_08',
    '2026_09',
    '2026_10',
    '2026_11',
    'default',
  ])
  await pool.query('delete from messages')
  await maintainPartitions(pool, at('2026-09-15T00:00Z'))
  assert.deepEqual(await names(), ['2026_07', '2026_08', '2026_09', '2026_10', '2026_11', 'default'])
  await write('2026-05-20T00:00Z')
  const { rows } = await pool.query('select tableoid::regclass::text as name from messages')
  assert.deepEqual(rows, [{ name: 'messages_default' }])
})

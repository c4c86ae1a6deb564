import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsRead } from '../../../test/count-rows-read.ts'
import { TUESDAY_TEN_MS, testFixture } from '../../../test/fixture.ts'
import { readStateFigures } from '../housekeeping/state-figures.ts'
import { QUARANTINE_SLOTS } from '../leases/poison-row-quarantine.ts'
import { claimDueMessages, type DueMessage } from './due-messages.ts'

test('claiming SMS does not read waiting emails', async (t) => {
  const { deps } = await testFixture(t, { work: false })
  const { db } = deps
  await db.query(
    `insert into messages (account_id, message_id, kind, recipient, template, store_id, status, created_at, expires_at,
       due_at)
     select 'demo', 'msg_' || n, case when n = 3000 then 'sms' else 'email' end, 'someone', 'booked', store_id,
       'queued', $1, $1, $1::timestamptz - interval '1 hour' + n * interval '1 second'
     from generate_series(1, 3000) as n, (select store_id from stores where account_id = 'demo' limit 1) as s`,
    [new Date(TUESDAY_TEN_MS).toISOString()],
  )
  await db.query('analyze messages')
  const nows = { accountIds: ['demo'], nowsMs: [TUESDAY_TEN_MS] }
  let claimed: DueMessage[] = []
  const read = await rowsRead(db, 'messages', async (client) => {
    const size = { limit: 10, leaseMs: 30_000, suspects: QUARANTINE_SLOTS, values: ['sms'] }
    claimed = await claimDueMessages(client, nows, size)
  })
  assert.deepEqual(
    claimed.map(({ message_id }) => message_id),
    ['msg_3000'],
  )
  assert.ok(read <= 10, `${read} rows`)
  const figures = await readStateFigures(db)
  const due = figures.filter(({ figure, mode }) => figure === 'due' && mode === 'sandbox')
  assert.equal(due.find(({ name }) => name === 'email')?.value, 2_999)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testWorld } from '../../test/world.ts'
import { claimMessages } from './send-messages.ts'

test('an account that has much due does not keep the others waiting', async (t) => {
  const { deps } = await testWorld(t, { work: false })
  const due = (accountId: string, count: number) =>
    deps.db.query(
      `insert into messages (account_id, message_id, kind, recipient, template, body, status, created_at, not_after, due_at)
       select $1, 'msg_' || n, 'sms', '+61491570156', 'driver_note', 'x', 'queued', created_at, 'infinity', '2000-01-01'
       from generate_series(1, $2) as n, (select now() as created_at) as c`,
      [accountId, count],
    )
  await due('demo', 40)
  await due('acme-byoc', 40)
  const claimed: string[] = []
  for (let claims = 0; claims < 40; claims++) {
    const [message] = await claimMessages(deps, 'sms', 1)
    claimed.push(message?.account_id ?? '')
  }
  // By chance alone, of one account: once in 2 to the power of 39.
  assert.deepEqual([...new Set(claimed)].sort(), ['acme-byoc', 'demo'])
})

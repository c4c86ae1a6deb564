import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { purgeOldKeys } from '../deliveries/idempotency.ts'
import { purgeOldDriverAccess } from '../own-couriers/driver-access.ts'
import { purgeOldLogins } from '../people/user-sessions.ts'
import { purgeExpired } from './purge-expired.ts'

test('expired rows are purged in batches, in every account; others stay', async (t) => {
  const { pool } = await testDatabase(t)
  await pool.query(
    `insert into accounts (account_id, version, mode) values ('demo', 1, 'sandbox'), ('acme', 1, 'sandbox')`,
  )
  await pool.query(
    `insert into idempotency_keys (account_id, key, fingerprint, locked_until, created_at)
     select a, 'key-' || n, '', now(), now() - n * interval '1 hour'
     from unnest(array['demo', 'acme']) as a, unnest(array[1, 71, 73, 74, 100]) as n`,
  )
  assert.equal(await purgeExpired(pool, 'idempotency_keys', '72 hours', 4), 4)
  assert.equal(await purgeOldKeys(pool), 2)
  assert.equal(await purgeOldKeys(pool), 0)
  const { rows } = await pool.query('select distinct key from idempotency_keys order by key')
  assert.deepEqual(rows, [{ key: 'key-1' }, { key: 'key-71' }])

  await pool.query(
    `insert into login_attempts (account_id, name, attempts, ends_at)
     values ('~', 'old', 1, now() - interval '1 second'), ('~', 'new', 1, now() + interval '1 minute')`,
  )
  assert.equal(await purgeOldLogins(pool), 1)

  // A code counts towards its phone's limit for an hour.
  await pool.query(
    `insert into driver_codes (account_id, phone, nonce, expires_at)
     select 'demo', n, 'x', now() - n * interval '1 minute' from unnest(array[59, 61]) as n`,
  )
  assert.equal(await purgeOldDriverAccess(pool), 1)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ON_CITUS, testDatabase } from '../../test/database.ts'
import { checkCitus } from './citus.ts'

test('doctor checks the tables and nodes of Citus, and reports nothing on plain PostgreSQL', async (t) => {
  const { pool } = await testDatabase(t)
  const findings = await checkCitus(pool)
  if (!ON_CITUS) return assert.deepEqual(findings, [])
  assert.deepEqual(
    findings.map(({ found, message }) => `${found}: ${message.replace(/Citus [\d.-]+/, 'Citus')}`),
    [
      'good: Citus with 2 workers: every table is distributed into 4 shards, and every node can connect to every other.',
    ],
  )
  await pool.query('drop function create_deliveries(text, json)')
  await pool.query(
    'create function create_deliveries(of_account text, given json) returns text[] language sql as $$ select null::text[] $$',
  )
  const [finding, ...others] = await checkCitus(pool)
  assert.match(
    finding?.message ?? '',
    /These functions are not distributed: create_deliveries\(text,json\)\.$/,
  )
  assert.deepEqual(others, [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/database.ts'
import { checkCitus } from './citus.ts'

const ON_CITUS = (process.env.CITUS_WORKERS ?? '') !== ''

test('doctor checks the tables and nodes of Citus, and reports nothing on plain PostgreSQL', async (t) => {
  const { pool } = await testDatabase(t)
  const findings = await checkCitus(pool)
  if (!ON_CITUS) return assert.deepEqual(findings, [])
  assert.deepEqual(
    findings.map(({ found, message }) => `${found}: ${message.replace(/Citus [\d.-]+/, 'Citus')}`),
    ['good: Citus with 2 workers: every table is distributed, every node answers.'],
  )
})

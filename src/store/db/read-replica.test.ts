import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { readReplica } from './read-replica.ts'

const primary = { query: async () => ({ rows: [{ position: '0/1' }] }) } as unknown as Pool
const failing = (code: string) =>
  ({
    query: async () => {
      throw Object.assign(new Error('refused'), { code })
    },
  }) as unknown as Pool

test('a replica that cannot be read is left for the primary', async () => {
  for (const [code, why] of [
    ['0A000', /how far it has replayed/],
    ['40001', /does not answer/],
    ['ECONNREFUSED', /does not answer/],
  ] as const) {
    const replica = readReplica({ primary, replica: failing(code), log: pino({ level: 'silent' }) })
    const { value, asOfMs } = await replica.read(async (db) => db)
    assert.equal(value, primary, code)
    assert.equal(asOfMs, null)
    assert.match(replica.whyNotUsed() ?? '', why)
  }
})

test('a fault of the read itself is not taken for the replica’s', async () => {
  const replica = readReplica({ primary, replica: failing('42703'), log: pino({ level: 'silent' }) })
  await assert.rejects(replica.read(async (db) => db))
  assert.equal(replica.whyNotUsed(), null)
})

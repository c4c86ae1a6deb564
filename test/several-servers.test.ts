import assert from 'node:assert/strict'
import { test } from 'node:test'
import { superuserAt } from '../src/store/db/server-role.ts'
import { deliveryBody } from './api.ts'
import { replicatedApi } from './replicated-api.ts'
import { until } from './wait-until.ts'

test('of several servers Drover writes to the primary, and finds the new primary after a switchover', async (t) => {
  const { api, database } = await replicatedApi(t, ({ bothUrl }) => ({
    replicated: { url: bothUrl, readUrl: bothUrl },
  }))
  const { call, fixture } = api
  assert.equal(await superuserAt(database.bothUrl), null)

  const create = async (reference: string): Promise<number> => {
    const body = deliveryBody({ store_reference: 'fitzroy', reference })
    return (await call('POST /demo/deliveries', { body, headers: { 'idempotency-key': `key-${reference}` } }))
      .status
  }
  const list = async (): Promise<string[]> => {
    const { json } = await call('GET /demo/deliveries?limit=200')
    return json.data.map(({ reference }: { reference: string }) => reference)
  }
  const acknowledged: string[] = []
  for (let n = 0; n < 10; n++) {
    assert.equal(await create(`BEFORE-${n}`), 201)
    acknowledged.push(`BEFORE-${n}`)
  }
  assert.ok((await list()).includes('BEFORE-9'))
  assert.ok((fixture.parts.readReplica?.figures().replica ?? 0) > 0, 'the list came from the standby')

  // As in a planned switchover: the standby has everything when the primary stops.
  await database.stopPrimary()
  await database.promote()
  for (let n = 0; n < 10; n++) {
    await until(async () => [201, 200].includes(await create(`AFTER-${n}`)), 'a create is accepted again')
    acknowledged.push(`AFTER-${n}`)
  }
  const now = await list()
  assert.deepEqual(
    acknowledged.filter((reference) => !now.includes(reference)),
    [],
  )
  // Other connections reach the promoted server too.
  const { rows } = await fixture.deps.db.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  assert.equal(rows[0]?.standby, false)
})

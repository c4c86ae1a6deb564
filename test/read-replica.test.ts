import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allEndpoints } from '../src/http/api/endpoints.ts'
import { type Api, deliveryBody, type Reply } from './api.ts'
import { runProgram } from './program.ts'
import { replicatedApi } from './replicated-api.ts'
import { until } from './wait-until.ts'

const isFromReplica = (reply: Reply): boolean => reply.headers['data-as-of'] !== undefined

async function create({ call }: Api, reference: string): Promise<string> {
  const made = await call('POST /demo/deliveries', {
    body: deliveryBody({ store_reference: 'fitzroy', reference }),
  })
  assert.equal(made.status, 201, made.text)
  return made.json.data.id
}

async function list({ call }: Api): Promise<{ reply: Reply; references: string[] }> {
  const reply = await call('GET /demo/deliveries?limit=100')
  assert.equal(reply.status, 200, reply.text)
  return { reply, references: reply.json.data.map(({ reference }: { reference: string }) => reference) }
}

test('lists and reports are read from a replica, or from the primary while the replica is behind or away', async (t) => {
  const { api, database } = await replicatedApi(t, (one) => ({ replicated: one, work: false }))
  const replica = api.fixture.parts.readReplica
  assert.ok(replica)

  await t.test('a client reads its own write at once, also while replication is delayed', async () => {
    let fromReplica = 0
    for (let n = 0; n < 40; n++) {
      database.replication.set(n % 2 === 0 ? { kind: 'none' } : { kind: 'delay', ms: 15 })
      await create(api, `OWN-${n}`)
      const { reply, references } = await list(api)
      assert.ok(references.includes(`OWN-${n}`), `OWN-${n} is missing`)
      if (isFromReplica(reply)) fromReplica++
    }
    database.replication.set({ kind: 'none' })
    assert.ok(fromReplica > 0, 'some were read from the replica')
  })

  await t.test('every endpoint that may read the replica does, and writes nothing there', async () => {
    const id = await create(api, 'EVERY')
    const { id: hook } = (
      await api.call('POST /demo/webhook-endpoints', { body: { url: 'http://127.0.0.1:9/' } })
    ).json.data
    const paths: Record<string, string> = { ':tenant_id': 'demo', ':endpoint_id': hook }
    await until(async () => isFromReplica((await list(api)).reply), 'the replica is used again')
    const read: string[] = []
    for (const { url, operationId, access } of allEndpoints().filter((one) => one.readsReplica)) {
      const path = url.replace(/:[a-z_]+/g, (name) => paths[name] ?? id)
      const query = operationId === 'getInsights' || operationId === 'listDeliveryCosts' ? INSIGHTS_DAYS : ''
      const ask = access === 'operator' ? api.operator : api.call
      const reply = await ask(`GET ${path}${query}`)
      assert.equal(reply.status, 200, `${operationId} ${path}: ${reply.text}`)
      assert.ok(isFromReplica(reply), operationId)
      read.push(operationId)
    }
    assert.ok(read.length >= 10)
    assert.equal(replica.whyNotUsed(), null)
  })

  await t.test(
    'reads go to the primary while the replica is behind, and back once it has caught up',
    async () => {
      database.replication.set({ kind: 'black_hole' })
      await create(api, 'BEHIND-1')
      const { reply, references } = await list(api)
      assert.ok(references.includes('BEHIND-1'))
      assert.equal(isFromReplica(reply), false)
      assert.match(replica.whyNotUsed() ?? '', /behind/)
      const ready = await api.call('GET /health/ready', { token: null })
      assert.equal(ready.status, 200)
      const before = replica.figures()
      await list(api)
      assert.equal(replica.figures().primary, before.primary + 1, 'it is not asked again at once')
      database.replication.set({ kind: 'none' })
      await until(async () => isFromReplica((await list(api)).reply), 'the replica is used again')
      assert.equal(replica.whyNotUsed(), null)
    },
  )

  await t.test('reads go to the primary when the replica dies, and back after its restart', async () => {
    await database.stopStandby()
    await create(api, 'DEAD-1')
    const { reply, references } = await list(api)
    assert.ok(references.includes('DEAD-1'))
    assert.equal(isFromReplica(reply), false)
    assert.match(replica.whyNotUsed() ?? '', /does not answer/)
    const text = await api.fixture.parts.registry.metrics()
    assert.match(text, /^drover_read_replica_used 0$/m)
    assert.match(text, /^drover_reads_total\{database="replica"\} [1-9]/m)
    await database.startStandby()
    await until(async () => isFromReplica((await list(api)).reply), 'the replica is used again')
  })

  await t.test('the doctor checks the replica', async () => {
    const env = {
      DATABASE_URL: database.url,
      DATABASE_READ_URL: database.readUrl,
      DROVER_SECRET_KEY: 'k'.repeat(43),
    }
    const { out } = await runProgram(['doctor'], { env })
    assert.match(out, /read replica.*at most 1 s behind/)
  })

  await t.test('a replica that was promoted is never read', async () => {
    await database.promote()
    await create(api, 'AFTER-PROMOTION')
    const { reply, references } = await list(api)
    assert.ok(references.includes('AFTER-PROMOTION'))
    assert.equal(isFromReplica(reply), false)
    assert.match(replica.whyNotUsed() ?? '', /not a replica/)
    const env = {
      DATABASE_URL: database.url,
      DATABASE_READ_URL: database.readUrl,
      DROVER_SECRET_KEY: 'k'.repeat(43),
    }
    const { out } = await runProgram(['doctor'], { env })
    assert.match(out, /not a replica/)
  })
})

const INSIGHTS_DAYS = '?from=2026-11-01&to=2026-11-30'

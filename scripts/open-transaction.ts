/**
 * Measures how long each event takes from its commit to the feed and to a webhook, while write transactions stay open
 * in another database of the server and in Drover's own for the given number of minutes.
 *
 *   node scripts/with-node.mjs scripts/open-transaction.ts [minutes] [creates a second]
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts'
import { type CleanUps, owned, temporaryHome, withCleanUps } from '../test/harness/clean-ups.ts'
import { accepted, retrying } from '../test/harness/http.ts'
import { exampleDelivery } from './example-delivery.ts'
import { askDemo, startMember } from './rolling-upgrade/member.ts'

const [minutes = 10, perSecond = 20] = process.argv.slice(2).map(Number)
/** Generous, for a busy machine: earlier versions published no event until the transactions ended. */
const MAX_MS = 15_000
/** Statuses to retry: an expired token, too many requests, or a busy machine. */
const RETRIED = new Set([401, 429, 503])

const heardAtMs = new Map<string, number>()
const receiver = createServer(async (request, response) => {
  heardAtMs.set(String(request.headers['webhook-id']), performance.now())
  request.resume()
  response.writeHead(204).end()
}).listen(0, '127.0.0.1')
await withCleanUps(measure)

async function measure(cleanUps: CleanUps): Promise<void> {
  const home = temporaryHome(cleanUps)
  cleanUps.after(() => receiver.close())
  const database = owned(cleanUps, await startEmbeddedPostgres({ home: join(home, 'data'), log: () => {} }))
  const { url } = await startMember(cleanUps, resolve(import.meta.dirname, '..'), 'start', {
    DATABASE_URL: database.url,
    DROVER_HOME: home,
    DROVER_SECRET_KEY: 'the key of the open-transaction test',
    DROVER_ALLOW_PRIVATE_WEBHOOKS: '1',
  })
  const demo = retrying(askDemo(url), ({ status }) => RETRIED.has(status), MAX_MS)
  const ask = async (line: string, body?: object) => (await accepted(demo(line, { body }), line)).json
  const { port } = receiver.address() as AddressInfo
  await ask('POST /webhook-endpoints', {
    url: `http://127.0.0.1:${port}/`,
    event_types: ['delivery.created'],
  })
  const neighbour = new URL(database.url)
  neighbour.pathname = '/postgres'
  const open = await Promise.all([neighbour.href, database.url].map(openTransaction))

  const createdAtMs = new Map<string, number>()
  const readAtMs = new Map<string, number>()
  const idOf = new Map<string, string>()
  const endMs = performance.now() + minutes * 60_000
  let isCreating = true
  const reading = (async () => {
    let { pagination } = await ask('GET /events?after=latest')
    while (isCreating || readAtMs.size < createdAtMs.size) {
      const page = await ask(`GET /events?limit=200&after=${pagination.next}`)
      for (const { id, type, data } of page.data) {
        if (type !== 'delivery.created') continue
        readAtMs.set(data.reference, performance.now())
        idOf.set(data.reference, id)
      }
      pagination = page.pagination
      if (page.data.length < 200) await sleep(100)
      assert.ok(performance.now() < endMs + 60_000, 'the feed lags behind')
    }
  })()
  for (let n = 1; performance.now() < endMs; n++) {
    const reference = `OPEN-${n}`
    await ask('POST /deliveries', exampleDelivery(reference))
    createdAtMs.set(reference, performance.now())
    await sleep(1_000 / perSecond)
  }
  isCreating = false
  await reading
  await sleep(3_000)
  for (const client of open) await client.query('select pg_current_xact_id()')
  await Promise.all(open.map((client) => client.end()))

  const late = (at: (reference: string) => number | undefined) =>
    [...createdAtMs].map(([reference, ms]) => (at(reference) ?? Infinity) - ms).sort((a, b) => a - b)
  const rows = {
    feed: late((reference) => readAtMs.get(reference)),
    webhook: late((reference) => heardAtMs.get(idOf.get(reference) ?? '')),
  }
  for (const [way, ms] of Object.entries(rows)) {
    const [median, slowest] = [ms[Math.floor(ms.length / 2)] ?? 0, ms.at(-1) ?? 0]
    console.log(
      `${way}: ${ms.length} deliveries in ${minutes} min, median ${median.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`,
    )
    assert.ok(slowest < MAX_MS, `${way}: ${slowest} ms`)
  }
}

async function openTransaction(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  return client
}

/**
 * Upgrades a data folder of an earlier commit: that commit creates deliveries, reads cursors of the feed and pauses a
 * webhook endpoint; then today's Drover runs on the same folder. Every event must keep its body, every cursor must
 * continue where it was, and the endpoint must receive exactly the events that it has missed.
 *
 *   node scripts/with-node.mjs scripts/upgrade-events.ts [commit]
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { type CleanUps, temporaryHome, withCleanUps } from '../test/harness/clean-ups.ts'
import { type Ask, accepted, good } from '../test/harness/http.ts'
import { until } from '../test/wait-until.ts'
import { exampleDelivery } from './example-delivery.ts'
import { askDemo, startMember } from './rolling-upgrade/member.ts'
import { beforeNewestMigration, unpack } from './rolling-upgrade/releases.ts'

type Event = { id: string; data: { reference?: string } }
type Page = { data: Event[]; pagination: { next: string | null } }

const project = resolve(import.meta.dirname, '..')
const received: string[] = []
const receiver = createServer((request, response) => {
  received.push(String(request.headers['webhook-id']))
  response.writeHead(204).end()
}).listen(0, '127.0.0.1')
await withCleanUps(upgrade)

async function upgrade(cleanUps: CleanUps): Promise<void> {
  const home = temporaryHome(cleanUps)
  cleanUps.after(() => receiver.close())
  const then = join(home, 'then')
  console.log(`before: ${unpack(project, process.argv[2] ?? beforeNewestMigration(project), then)}`)
  const env = { DROVER_HOME: join(home, 'data'), DROVER_ALLOW_PRIVATE_WEBHOOKS: '1' }
  const old = await startMember(cleanUps, then, 'start', env)
  const before = askDemo(old.url)
  const { port } = receiver.address() as AddressInfo
  const made = await good(before('POST /webhook-endpoints', { body: { url: `http://127.0.0.1:${port}/` } }))
  const endpoint = `PATCH /webhook-endpoints/${made.id}`
  for (let n = 1; n <= 5; n++) await good(before('POST /deliveries', { body: exampleDelivery(`THEN-${n}`) }))
  await until(async () => (await feedOf(before)).events.length >= 10 && received.length >= 10)
  await good(before(endpoint, { body: { status: 'paused' } }))
  for (let n = 6; n <= 7; n++) await good(before('POST /deliveries', { body: exampleDelivery(`THEN-${n}`) }))
  await until(async () => (await feedOf(before)).events.length >= 14)
  const feedBefore = await feedOf(before)
  const receivedBefore = new Set(received)
  await old.stop()

  const { url } = await startMember(cleanUps, project, 'start', env)
  const now = askDemo(url)
  await good(now('POST /deliveries', { body: exampleDelivery('NOW-1') }))
  const { events } = await feedOf(now)
  assert.deepEqual(
    events.slice(0, feedBefore.events.length),
    feedBefore.events,
    'the old events are unchanged',
  )
  assert.ok(events.length >= feedBefore.events.length + 2, 'the new events follow')
  for (const { cursor, read } of feedBefore.cursors) {
    const after = await feedOf(now, cursor)
    assert.deepEqual(after.events, events.slice(read), `from the cursor after ${read} events`)
  }
  received.length = 0
  await good(now(endpoint, { body: { status: 'active' } }))
  const missed = events.filter(({ id }) => !receivedBefore.has(id)).map(({ id }) => id)
  await until(async () => missed.every((id) => received.includes(id)))
  assert.deepEqual(
    [...new Set(received)].filter((id) => receivedBefore.has(id)),
    [],
    'no event is sent a second time',
  )
  console.log(
    `${feedBefore.events.length} events and ${feedBefore.cursors.length} cursors kept, ${missed.length} missed events sent to an endpoint`,
  )
}

/** The feed in pages of three, and each cursor with the number of events before it. */
async function feedOf(ask: Ask, from: string | null = null) {
  const events: Event[] = []
  const cursors: { cursor: string; read: number }[] = []
  for (let after = from; ; ) {
    const { json } = await accepted(ask(`GET /events?limit=3${after === null ? '' : `&after=${after}`}`))
    const page: Page = json
    events.push(...page.data)
    after = page.pagination.next
    if (after !== null) cursors.push({ cursor: after, read: events.length })
    if (page.data.length < 3) return { events, cursors }
  }
}

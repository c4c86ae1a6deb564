/**
 * Upgrades a data folder of an earlier commit: that commit creates deliveries, reads cursors of the feed and pauses a
 * webhook endpoint; then today's Drover runs on the same folder. Every event must keep its body, every cursor must
 * continue where it was, and the endpoint must receive exactly the events that it has missed.
 *
 *   node scripts/with-node.mjs scripts/upgrade-events.ts [commit]
 */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { exampleDelivery } from './example-delivery.ts'
import { tokenFrom } from './rolling-upgrade/load.ts'
import { type Member, startMember } from './rolling-upgrade/member.ts'
import { beforeNewestMigration, unpack } from './rolling-upgrade/releases.ts'

type Event = { id: string; data: { reference?: string } }
type Page = { data: Event[]; pagination: { next: string | null } }

const PATIENCE_MS = 120_000

const project = resolve(import.meta.dirname, '..')
const home = mkdtempSync(join(tmpdir(), 'drover-upgrade-events-'))
chmodSync(home, 0o755)
const then = join(home, 'then')
console.log(`before: ${unpack(project, process.argv[2] ?? beforeNewestMigration(project), then)}`)
const env = { DROVER_HOME: join(home, 'data'), DROVER_ALLOW_PRIVATE_WEBHOOKS: '1' }
const received: string[] = []
const receiver = createServer((request, response) => {
  received.push(String(request.headers['webhook-id']))
  response.writeHead(204).end()
}).listen(0, '127.0.0.1')
let running = null as Member | null
try {
  await upgrade()
} finally {
  await running?.stop().catch(console.error)
  receiver.close()
  rmSync(home, { recursive: true, force: true })
}

async function upgrade(): Promise<void> {
  running = await startMember(then, 'start', env)
  const before = await clientOf(running.url)
  const { port } = receiver.address() as AddressInfo
  const made = await before('POST', 'webhook-endpoints', { url: `http://127.0.0.1:${port}/` })
  const endpoint = `webhook-endpoints/${made.data.id}`
  for (let n = 1; n <= 5; n++) await before('POST', 'deliveries', exampleDelivery(`THEN-${n}`))
  await until(async () => (await feedOf(before)).events.length >= 10 && received.length >= 10)
  await before('PATCH', endpoint, { status: 'paused' })
  for (let n = 6; n <= 7; n++) await before('POST', 'deliveries', exampleDelivery(`THEN-${n}`))
  await until(async () => (await feedOf(before)).events.length >= 14)
  const feedBefore = await feedOf(before)
  const receivedBefore = new Set(received)
  await running.stop()

  running = await startMember(project, 'start', env)
  const now = await clientOf(running.url)
  await now('POST', 'deliveries', exampleDelivery('NOW-1'))
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
  await now('PATCH', endpoint, { status: 'active' })
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

// biome-ignore lint/suspicious/noExplicitAny: a response of any endpoint.
type Call = (method: string, path: string, body?: object) => Promise<any>

async function clientOf(url: string): Promise<Call> {
  const headers = { authorization: `Bearer ${await tokenFrom(url)}`, 'content-type': 'application/json' }
  return async (method, path, body) => {
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(`${url}/demo/${path}`, sent)
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
}

/** The feed in pages of three, and each cursor with the number of events before it. */
async function feedOf(call: Call, from: string | null = null) {
  const events: Event[] = []
  const cursors: { cursor: string; read: number }[] = []
  for (let after = from; ; ) {
    const page: Page = await call('GET', `events?limit=3${after === null ? '' : `&after=${after}`}`)
    events.push(...page.data)
    after = page.pagination.next
    if (after !== null) cursors.push({ cursor: after, read: events.length })
    if (page.data.length < 3) return { events, cursors }
  }
}

async function until(look: () => Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + PATIENCE_MS; !(await look()); await sleep(200)) {
    if (performance.now() > endMs) throw new Error(`Timed out waiting for: ${look}`)
  }
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../src/operations/directory/caller.ts'
import { type Call, deliveryBody, type Reply } from '../api.ts'
import {
  type Position,
  PROBED,
  type Probed,
  positionsOf,
  type Request,
  requestOf,
  stranger,
  type Things,
  thingOf,
  withId,
} from './requests.ts'
import { snapshots } from './snapshot.ts'
import { type Actor, OTHER, OTHER_ACCOUNT_WORD, twoMerchants } from './two-merchants.ts'

/** Every operation, with ids of another account: no caller may read or change anything of it. */
test('the matrix', async (t) => {
  const two = await twoMerchants(t)
  const { api, own, other, callers } = two
  const tables = await snapshots(api.fixture.deps.db)
  const nobodys = {
    things: Object.fromEntries(Object.entries(other.things).map(([k, v]) => [k, stranger(v)])),
  }
  const tenant = PROBED.filter(({ access }) => access !== 'public' && access !== 'driver')
  let asked = 0
  let latest = await tables.take()
  const ask = async (actor: Actor, { line, body }: Request): Promise<Reply> => {
    asked++
    // Each from its own client address: limits of one address are not under test here.
    const remoteAddress = `10.0.${(asked >> 8) & 255}.${asked & 255}`
    const call: Call = { token: null, headers: actor.headers, remoteAddress }
    return api.call(line, body === undefined ? call : { ...call, body: body as object })
  }

  await t.test('the probed data exists: the account’s own client can read it', async () => {
    const read = new Set<string>()
    for (const probed of tenant.filter(({ method, access }) => method === 'GET' && access !== 'operator')) {
      const { status, text } = await ask(two.client, requestOf(probed, other))
      if (status === 200 && text.includes(other.word)) read.add(probed.operationId)
    }
    assert.ok(read.size >= 12, `${read.size} responses hold the marker`)
    assert.ok(read.has('getCarrier'), 'the carrier’s response holds the marker')
    // The time of an account's first label is recorded.
    latest = await tables.take()
  })

  await t.test('callers of another account are rejected at every operation', async () => {
    for (const probed of tenant) {
      for (const actor of two.strangers) {
        if (actor === two.operator && probed.access === 'operator') continue
        const reply = await ask(actor, requestOf(probed, other))
        const where = `${actor.name}: ${probed.operationId}`
        assert.ok(
          [401, 403, 404].includes(reply.status),
          `${where} ${reply.status} ${reply.text.slice(0, 200)}`,
        )
        silent(reply, where)
        if (reply.status !== 404) continue
        const nobody = await ask(actor, requestOf(probed, nobodys))
        assert.deepEqual(shapeOf(nobody, []), shapeOf(reply, []), `${where} looks other than nothing`)
      }
      await unchanged(probed.operationId)
    }
  })

  await t.test('the account’s own callers are rejected without the scope or for another store', async () => {
    for (const probed of tenant) {
      const { access, operationId } = probed
      // MCP has a scope for each tool: mcp.test.ts.
      if (access === 'operator' || access === 'client') continue
      const scope = access === 'document' ? 'deliveries:read' : access
      const lacking = await ask(await two.without(scope as Scope), requestOf(probed, other))
      assert.deepEqual([lacking.status, lacking.json.code], [403, 'insufficient_scope'], operationId)
      let changed = false
      const named = positionsOf(probed).some(({ where }) => where === 'path')
      const allowed = access === 'account' ? [403] : named ? [403, 404, 422] : null
      for (const actor of two.limited) {
        const requests = [requestOf(probed, other)]
        for (const position of positionsOf(probed)) {
          const theirs = thingOf(other.things, position.name)
          requests.push(withId(probed, requestOf(probed, other), position, theirs))
        }
        // A user of one store may know that there are other stores, but not their contents.
        for (const request of requests) {
          const reply = await ask(actor, request)
          const where = `${actor.name}: ${operationId} ${reply.status}`
          silent(reply, where, other.word, saidIn(request))
          if (allowed) assert.ok(allowed.includes(reply.status), `${where}: ${reply.text}`)
          changed ||= probed.method !== 'GET' && reply.status < 300
        }
      }
      if (changed) latest = await tables.take()
      else await unchanged(operationId)
    }
  })

  await t.test('drivers and customers are rejected with ids of others', async () => {
    const driver: Actor = { name: 'a driver', headers: { authorization: `Bearer ${own.driverSession}` } }
    const customer: Actor = { name: 'a customer', headers: { 'link-session': own.linkSession } }
    const things = { ...own.things, job_id: own.things.driver_job as string }
    for (const probed of PROBED) {
      if (probed.access === 'driver') {
        for (const position of positionsOf(probed)) {
          await sameAsNothing(driver, probed, position, { things }, other.things.driver_job)
        }
      }
      if (!probed.linkSession) continue
      const reply = await ask(customer, requestOf(probed, other))
      assert.ok([401, 403].includes(reply.status), probed.operationId)
      silent(reply, probed.operationId)
    }
  })

  await t.test('a driver of both accounts, logged in with the code of one', async () => {
    const { phone = '' } = own.things
    const staff_courier = { phone, driver_name: other.word }
    const { headers } = two.client
    const made = await api.call(`POST /${OTHER}/deliveries`, {
      ...{ token: null, headers },
      body: deliveryBody({ store_reference: other.store, use_staff_couriers: true, staff_courier }),
    })
    assert.equal(made.status, 201, made.text)
    const job = made.json.data.id
    // No message gateway: messages stay in the outbox.
    await api.call('POST /driver/login', { token: null, body: { phone } })
    await api.fixture.deps.db.query(
      `update messages set status = 'no_channel' where template = 'driver_code'`,
    )
    const outbox = await api.call('GET /demo/messages?kind=sms', {
      token: null,
      headers: callers.client.headers,
    })
    const code = outbox.json.data.find((one: { to: string }) => one.to === phone).text.slice(0, 6)
    const second = await api.call('POST /driver/verify', { token: null, body: { phone, code } })
    assert.equal(second.status, 200, second.text)
    latest = await tables.take()
    const things = { ...own.things, job_id: own.things.driver_job as string }
    for (const session of [own.driverSession, second.json.data.token]) {
      const driver: Actor = { name: 'a driver of both', headers: { authorization: `Bearer ${session}` } }
      const list = await ask(driver, { line: 'GET /driver/jobs' })
      silent(list, 'the driver’s list', other.word)
      for (const probed of PROBED.filter(({ access }) => access === 'driver')) {
        for (const position of positionsOf(probed)) {
          await sameAsNothing(driver, probed, position, { things }, job)
        }
      }
    }
  })

  await t.test('a signature is valid for its own address only', async () => {
    const { searchParams } = new URL(own.signedUrl)
    for (const probed of PROBED) {
      const taken = probed.operation.parameters.map(({ name }) => name)
      if (!taken.includes('sig')) continue
      const signed = new URLSearchParams([...searchParams].filter(([name]) => taken.includes(name)))
      for (const [whose, them] of Object.entries({
        other,
        own: { things: { ...own.things, delivery_id_or_reference: own.things.delivery_reference as string } },
      })) {
        const { line, body } = requestOf(probed, them)
        const reply = await ask({ name: 'anybody', headers: {} }, { line: `${line}?${signed}`, body })
        assert.ok(
          [403, 404].includes(reply.status),
          `${whose} ${probed.operationId}: ${reply.status} ${reply.text}`,
        )
        silent(reply, probed.operationId)
      }
    }
    await unchanged('a signature')
  })

  await t.test('ids of another account are unknown in every parameter and field', async () => {
    for (const probed of tenant) {
      if (probed.access === 'operator' && !probed.alsoAdmin) continue
      for (const position of positionsOf(probed)) {
        // A name of the caller's own choosing, which two accounts may both have.
        if (position.name === 'secret_name') continue
        const inPath = position.where === 'path'
        const actors = probed.access === 'operator' ? [callers.admin] : Object.values(callers)
        for (const actor of inPath ? actors : actors.slice(0, 1)) {
          await sameAsNothing(actor, probed, position, own)
        }
      }
    }
  })

  t.diagnostic(`${asked} requests`)
  await t.test(
    'logs and metrics hold no personal data: no marker, phone, address, id, token or secret',
    async () => {
      const { text } = await api.operator('GET /metrics')
      const written = `${two.logged()}\n${text}`.toLowerCase()
      assert.ok(written.includes('/:tenant_id/deliveries'), 'the log has requests')
      const tokens = [callers.client, callers.admin, two.client].flatMap(({ headers }) =>
        Object.values(headers),
      )
      for (const secret of [own, other].flatMap(({ word, things, driverSession, linkSession }) => [
        ...[word, driverSession, linkSession, 'drummond', '4915701'],
        ...Object.entries(things).flatMap(([name, thing]) => (SAID_IN_LOGS.has(name) ? [] : [thing])),
      ])) {
        assert.ok(!written.includes(secret.toLowerCase()), `the log holds ${secret}`)
      }
      for (const token of tokens.filter((one) => one.length > 20)) {
        assert.ok(!written.includes(token.replace('Bearer ', '').toLowerCase()), 'the log holds a token')
      }
    },
  )

  assert.ok(asked > 1_200, `${asked} requests`)
  t.diagnostic(`${asked} requests`)

  /** No worker runs, so only requests change anything. */
  async function unchanged(where: string): Promise<void> {
    assert.equal(await tables.take(), latest, `${where} changed something`)
  }

  /**
   * A body that names an id creates a resource under that id, so each request gets an id that the other account has
   * just taken.
   */
  async function foreignOf({ where, name }: Position): Promise<string> {
    if (where !== 'body' || name !== 'reference') return thingOf(other.things, name)
    const request = requestOf(
      PROBED.find(({ operationId }) => operationId === 'createDelivery') as Probed,
      other,
    )
    assert.equal((await ask(two.client, request)).status, 201)
    latest = await tables.take()
    return (request.body as { reference: string }).reference
  }

  /** Another account's id and an unknown id get the same response, leave the same state and reveal as little. */
  async function sameAsNothing(
    actor: Actor,
    probed: Probed,
    position: Position,
    base: { things: Things },
    given?: string,
  ): Promise<void> {
    const foreign = given ?? (await foreignOf(position))
    const ids = [foreign, stranger(foreign)] as const
    const where = `${actor.name}: ${probed.operationId}, ${position.where} ${position.path.join('.') || position.name}`
    const replies: Reply[] = []
    for (const id of ids) {
      const request = withId(probed, requestOf(probed, base), position, id)
      const reply = await ask(actor, request)
      silent(reply, where, other.word, saidIn(request))
      replies.push(reply)
    }
    if (probed.method === 'GET' || replies.every(({ status }) => status >= 400)) await unchanged(where)
    else latest = await tables.take()
    const [theirs, nothing] = replies as [Reply, Reply]
    assert.deepEqual(shapeOf(theirs, ids), shapeOf(nothing, ids), where)
    if (position.where === 'path')
      assert.ok([403, 404].includes(theirs.status), `${where}: ${theirs.status} ${theirs.text}`)
  }
})

/** Names of accounts and carriers, and names without a kind. */
const SAID_IN_LOGS = new Set([
  'tenant_id',
  'account',
  'provider',
  'adapter',
  'version',
  'store_reference',
  'store_id_or_reference',
])

/**
 * What a response reveals: of an error, everything except the request's own values; of a success, only that it
 * succeeded.
 */
function shapeOf({ status, text, json }: Reply, ids: readonly string[]): unknown {
  if (status < 300) return { status, hasContent: Object.keys(json?.data ?? json ?? {}).length > 0 }
  const { request_id: _, ...problem } = json ?? { text }
  const message = ids.reduce((all, id) => all.replaceAll(id, 'ID'), JSON.stringify(problem))
  // Suggestions for a misspelt name come only from the caller's account.
  return { status, problem: message.replace(/ Did you mean [^?]*\?/g, '') }
}

/** Values of the request's own path, query and body: a response may repeat them. */
function saidIn({ line, body }: Request): string[] {
  const [, url = ''] = line.split(' ')
  return [...url.split(/[/?&=]/).map(decodeURIComponent), ...textsIn(body)]
    .filter((text) => text !== '')
    .sort((a, b) => b.length - a.length)
}

function textsIn(body: unknown): string[] {
  if (typeof body === 'string') return [body]
  if (body === null || typeof body !== 'object') return []
  return Object.values(body).flatMap(textsIn)
}

/** The response holds no marker of the other account, except for the request's own values. */
function silent(
  { text }: Reply,
  where: string,
  word = OTHER_ACCOUNT_WORD,
  asked: readonly string[] = [],
): void {
  const message = asked.reduce((all, id) => all.replaceAll(id, ''), text).toLowerCase()
  for (const one of [word, 'quokka']) assert.ok(!message.includes(one.toLowerCase()), `${where} says ${one}`)
}

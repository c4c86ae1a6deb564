import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, customer, deliveryBody, lineItem, parcel, quoteBody } from './api.ts'
import { good } from './harness/http.ts'
import { type Ask, type TwoProcessCluster, twoProcessCluster } from './two-process-cluster.ts'
import { until } from './wait-until.ts'

const { country: _, ...linkAddress } = address
const perfumery = {
  ...parcel,
  reference: 'P2',
  contains_dangerous_goods: true,
  dangerous_goods: { dangerous_goods_definition: 'perfumery', net_weight_kg: 0.4 },
}
/** Tables in which workers hold rows by lease. */
const LEASED = [
  'deliveries',
  'sandbox_consignments',
  'allocation_jobs',
  'manifests',
  'webhook_endpoints',
  'messages',
]
/** Due at once: the clock is at 10 am, and the lead time is an hour. */
const soon = { ready_for_pickup_at: '2026-11-24T10:30:00+11:00', delivery_type: 'standard' }

/** One cluster for all parts: at the end the feed, webhooks and messages are compared with everything they did. */
test('two API and two worker processes share one PostgreSQL', async (t) => {
  const cluster = await twoProcessCluster(t)
  const [one, other] = cluster.apis
  const feed = readAsItGrows(cluster)

  await t.test('both APIs give the same quote, and each reads the other’s deliveries', async () => {
    const body = { ...quoteBody, ready_for_pickup_at: '2026-11-24T11:00:00+11:00' }
    const quote = (api: Ask) => good(api('POST /deliveries/quote-next-available', body))
    assert.deepEqual(await quote(one), await quote(other))
    const made = await good(one('POST /deliveries', deliveryBody({ reference: 'READ-1' })))
    assert.deepEqual(await good(other('GET /deliveries/READ-1')), made)
    assert.equal((await other('POST /deliveries', deliveryBody({ reference: 'READ-1' }))).status, 409)
  })

  await t.test('one idempotency key sent to both APIs at once makes one delivery', async () => {
    const body = deliveryBody({ reference: 'KEY-1', ...soon })
    const send = (api: Ask) =>
      until(async () => {
        const reply = await api('POST /deliveries', body, { 'idempotency-key': 'the same' })
        return reply.json.code !== 'idempotency_in_progress' && reply
      })
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => send(i % 2 ? one : other)))
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(replies.map(({ json }) => json.data.id)).size, 1)
    assert.equal((await good(other('GET /deliveries?reference=KEY-1'))).length, 1)
  })

  await t.test(
    'workers book the deliveries that either API queued, and each delivery is booked once',
    async () => {
      const references = Array.from({ length: 12 }, (_, i) => `QUEUE-${i}`)
      await Promise.all(
        references.map((reference, i) =>
          good(cluster.apis[(i % 2) as 0 | 1]('POST /deliveries', deliveryBody({ reference, ...soon }))),
        ),
      )
      await booked(cluster, references)
      const now = deliveryBody({ reference: 'NOW-1', book_delivery_now: true })
      // A request waits for 8 s at most; the booking continues after it.
      await good(other('POST /deliveries', now))
      await booked(cluster, ['NOW-1'])
      await standOnce(cluster, [...references, 'NOW-1'])
    },
  )

  await t.test('an amend at one API and a booking at the other are serialised', async () => {
    const races = Array.from({ length: 8 }, (_, i) => `RACE-${i}`)
    for (const reference of races)
      await good(one('POST /deliveries', deliveryBody({ reference, delivery_type: 'standard' })))
    await Promise.all(
      races.map(async (reference, i) => {
        const amendment = { ready_for_pickup_at: '2026-11-24T14:30:00+11:00', special_instructions: 'Ring.' }
        const [amended, asked] = await Promise.all([
          one(`PATCH /deliveries/${reference}/amend`, amendment),
          cluster.apis[(i % 2) as 0 | 1](`PATCH /deliveries/${reference}/book`),
        ])
        assert.ok([200, 409].includes(amended.status), JSON.stringify(amended.json))
        assert.ok([200, 409].includes(asked.status), JSON.stringify(asked.json))
        await until(async () => {
          const { status, json } = await other(`PATCH /deliveries/${reference}/book`)
          return (status === 200 && json.data.status === 'booked') || json.code === 'not_bookable'
        })
        const { special_instructions } = await good(other(`GET /deliveries/${reference}`))
        assert.equal(special_instructions, amended.status === 200 ? 'Ring.' : undefined)
      }),
    )
    await standOnce(cluster, races)
  })

  await t.test('an allocation started at one API is read at the other', async () => {
    const body = {
      address: { latitude: -37.81, longitude: 144.96 },
      ready_for_pickup_at: '2026-11-24T11:00:00+11:00',
      recommend_store_count: 4,
    }
    const { job_id } = await good(one('POST /deliveries/quote/allocation', { ...body, use_async: true }))
    const { store_allocation_ranks } = await until(async () => {
      const job = await good(other(`GET /deliveries/quote/allocation/status/${job_id}`))
      return job.status === 'done' && job
    })
    const direct = await good(other('POST /deliveries/quote/allocation', body))
    assert.deepEqual(store_allocation_ranks, direct.store_allocation_ranks)
  })

  await t.test(
    'concurrent manifests of one store at both APIs put each delivery on one manifest',
    async () => {
      const references = Array.from({ length: 8 }, (_, i) => `CLERK-${i}`)
      const made = await Promise.all(
        references.map((reference, i) => {
          const parcels = i % 4 === 0 ? [parcel, perfumery] : [parcel]
          const body = deliveryBody({ reference, store_reference: 'fitzroy', parcels, ...soon })
          return good(cluster.apis[(i % 2) as 0 | 1]('POST /deliveries', body))
        }),
      )
      await booked(cluster, references)
      const press = (api: Ask) =>
        good(api('POST /store-manifests', { store_reference: 'fitzroy', create_manifest_now: true }))
      const manifests = (await Promise.all([press(one), press(other)])).flat()
      const ids = manifests.flatMap(({ delivery_ids }) => delivery_ids)
      assert.deepEqual(ids.sort(), made.map(({ id }) => id).sort())
      for (const { id } of manifests) {
        await until(async () => (await good(other(`GET /manifests/${id}`))).status === 'submitted')
      }
    },
  )

  await t.test('a link that is booked at both APIs at once is booked once', async () => {
    const body = {
      store_reference: 'melbourne-cbd',
      reference: 'LINK-1',
      customer,
      address: linkAddress,
      line_items: [lineItem],
      parcels: [parcel],
    }
    const { link } = await good(one('POST /links', body))
    const path = new URL(link).pathname
    const { session } = await good(other(`POST ${path}/verify`, { reference: 'LINK-1' }))
    const choice = { delivery_type: 'standard' }
    const replies = await Promise.all(
      [one, other, one, other].map((api) => api(`POST ${path}/book`, choice, { 'link-session': session })),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 200, 201])
    assert.equal((await good(one('GET /deliveries?reference=LINK-1'))).length, 1)
  })

  await t.test('without crashes, webhooks and messages arrive exactly once', async () => {
    await reportedAll(cluster)
    const ids = cluster.receiver.received.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    assert.equal(cluster.sms.asked.length, cluster.sms.received.length)
  })

  await t.test(
    'the other worker finishes the work of a killed one, and nothing is booked twice',
    async () => {
      const references = Array.from({ length: 6 }, (_, i) => `KILL-${i}-slow`)
      const [killed, left] = cluster.workers
      left.signal('SIGSTOP')
      try {
        await Promise.all(
          references.map((reference, i) => {
            const delivery_type = i % 2 ? 'standard' : 'flexible'
            return good(one('POST /deliveries', deliveryBody({ reference, ...soon, delivery_type })))
          }),
        )
        await until(async () => (await inFlight(cluster)) >= 4)
        killed.signal('SIGKILL')
        assert.equal((await killed.ended).signal, 'SIGKILL')
        assert.ok((await inFlight(cluster)) >= 4, 'the worker was killed with work in flight')
        // Their leases would expire by themselves after half a minute.
        for (const table of LEASED) {
          await cluster.db.query(`update ${table} set lease_until = now() where lease_until > now()`)
        }
      } finally {
        left.signal('SIGCONT')
      }
      await booked(cluster, references)
      await standOnce(cluster, references)
      await reportedAll(cluster)
    },
  )

  await t.test('a change of an account at one API reaches the other API and the worker', async () => {
    const document = await good(one('GET /admin/accounts/demo'))
    await good(one('PUT /admin/accounts/demo', { ...document, name: 'Another name' }))
    await until(async () => (await good(other('GET /admin/accounts/demo'))).name === 'Another name')
    await good(other('PUT /admin/accounts/demo/clock', { now: '2026-11-25T20:00:00+11:00' }))
    await until(async () => (await good(one('GET /deliveries/NOW-1'))).status === 'delivered')
  })

  await t.test('a client that is revoked at one API is rejected by the other', async () => {
    const made = await good(
      one('POST /admin/accounts/demo/clients', { name: 'Gone', scopes: ['deliveries:read'] }),
    )
    const { access_token } = await good(
      one('POST /auth/token', { grant_type: 'client_credentials', ...made }),
    )
    const gone = cluster.as(1, access_token)
    await until(async () => (await gone('GET /deliveries')).status === 200)
    assert.equal((await one(`DELETE /admin/accounts/demo/clients/${made.client_id}`)).status, 204)
    await until(async () => (await gone('GET /deliveries')).status === 401)
  })

  await t.test(
    'the feed has no gap at either API, and webhooks match it in the order of each delivery',
    async () => {
      await nothingDue(cluster)
      await reportedAll(cluster)
      const [whole, again, grown] = await Promise.all([feedOf(one, 200), feedOf(other, 37), feed.end()])
      assert.deepEqual(ids(again), ids(whole))
      assert.deepEqual(
        ids(grown),
        ids(whole),
        'the feed read while it grew, at both APIs in turn, has the same events',
      )
      const { rows } = await cluster.db.query('select count(*)::int as events from events')
      assert.equal(whole.length, rows[0].events)

      const heard = [...new Map(cluster.receiver.taken.map((received) => [received.id, received])).values()]
      assert.deepEqual(heard.map(({ id }) => id).sort(), ids(whole).sort())
      assert.ok(heard.every(cluster.isGenuine))
      const last = new Map<string, number>()
      for (const { event } of heard) {
        const id = event.data.delivery_id ?? ''
        if (id === '') continue
        assert.ok(event.sequence > (last.get(id) ?? 0), `${event.type} of ${id} came out of order`)
        last.set(id, event.sequence)
      }
    },
  )

  await t.test('each customer gets one message for each booking', async () => {
    const { rows } = await cluster.db.query(
      `select delivery_id, array_agg(message_id) as messages from deliveries
       join messages using (account_id, delivery_id)
       where booked_at is not null and template = 'booked' and kind = 'sms' group by delivery_id`,
    )
    const booked = await cluster.db.query('select 1 from deliveries where booked_at is not null')
    assert.equal(rows.length, booked.rows.length)
    const phone = new Set(cluster.sms.received.map(({ id }) => id))
    for (const { messages } of rows) assert.deepEqual([messages.length, phone.has(messages[0])], [1, true])
  })

  await t.test('a client that asks both APIs gets its limit once', async () => {
    const document = (await one('GET /admin/accounts/demo')).json
    const limits = { requests_per_second: 20, burst: 40 }
    await good(one('PUT /admin/accounts/demo', { ...document, limits }))
    const made = await good(
      one('POST /admin/accounts/demo/clients', { name: 'Eager', scopes: ['deliveries:read'] }),
    )
    const token = await until(async () => {
      const { json } = await cluster.as(1, '')('POST /auth/token', {
        grant_type: 'client_credentials',
        ...made,
      })
      return json.access_token ?? null
    })
    const eager = [cluster.as(0, token), cluster.as(1, token)]
    await until(
      async () =>
        (await eager[0]?.('GET /deliveries'))?.status === 200 &&
        (await eager[1]?.('GET /deliveries'))?.status === 200,
    )
    const startMs = performance.now()
    let admitted = 2
    let asked = 2
    while (performance.now() - startMs < 5_000) {
      const replies = await Promise.all(eager.map((ask) => ask('GET /deliveries')))
      asked += replies.length
      admitted += replies.filter(({ status }) => status === 200).length
    }
    const most = limits.burst + (limits.requests_per_second * (performance.now() - startMs)) / 1_000
    assert.ok(admitted <= most * 1.1, `${admitted} of at most ${Math.round(most)}`)
    // On a busy machine the client may ask for less than its limit.
    assert.ok(
      admitted >= Math.min(asked, most) * 0.8,
      `${admitted} of ${asked} asked and ${Math.round(most)}`,
    )
  })

  await t.test('the remaining processes stop cleanly when asked', async () => {
    const asked = cluster.all.filter((process) => process !== cluster.workers[0])
    for (const process of asked) process.signal('SIGTERM')
    for (const process of asked) assert.deepEqual(await process.ended, { code: 0, signal: null })
    const errors = cluster.all.flatMap((process) => process.output().match(/^.*"level":(50|60).*$/gm) ?? [])
    // On a very busy machine a connection may take too long: the process logs it and continues.
    const wrong = errors.filter((line) => !line.includes('timeout exceeded when trying to connect'))
    assert.deepEqual(wrong, [])
  })
})

async function booked({ apis }: TwoProcessCluster, references: readonly string[]): Promise<void> {
  for (const [i, reference] of references.entries()) {
    const api = apis[(i % 2) as 0 | 1]
    await until(async () => (await good(api(`GET /deliveries/${reference}`))).status === 'booked')
  }
}

/** Each delivery has one booking at all carriers together, and it is the one in our records. */
async function standOnce({ apis, db }: TwoProcessCluster, references: readonly string[]): Promise<void> {
  for (const reference of references) {
    const { consignment_number } = await good(apis[0](`GET /deliveries/${reference}`))
    const { data } = (await apis[1](`GET /admin/accounts/demo/sandbox/ledger?reference=${reference}`)).json
    const standing = new Set(
      data
        .filter(({ operation, outcome }: Entry) => operation === 'book' && outcome === 'booked')
        .map((entry: Entry) => entry.consignment_number),
    )
    assert.deepEqual([...standing], [consignment_number], reference)
  }
  assert.equal((await db.query('select 1 from deliveries where dead_lettered_at is not null')).rows.length, 0)
}

type Entry = { operation: string; outcome: string; consignment_number?: string }

async function inFlight({ db }: TwoProcessCluster): Promise<number> {
  const { rows } = await db.query(
    `select count(*)::int as leased from deliveries where lease_until > now() and pending_attempt is not null`,
  )
  return rows[0].leased
}

/** Waits until nothing is due: no delivery waits for a worker, and no carrier has an update. */
async function nothingDue({ db }: TwoProcessCluster): Promise<void> {
  await until(async () => {
    const { rows } = await db.query(
      `select count(*)::int as due from accounts as a, lateral (
         select due_at, lease_until from deliveries where account_id = a.account_id
         union all select due_at, lease_until from sandbox_consignments where account_id = a.account_id) as one
       where one.lease_until > now() or one.due_at <= now() + a.clock_offset_ms * interval '1 millisecond'`,
    )
    return rows[0].due === 0
  })
}

/** Waits until every webhook and SMS has been sent. */
async function reportedAll({ db, receiver }: TwoProcessCluster): Promise<void> {
  await until(async () => {
    const { rows } = await db.query(
      `select (select count(*)::int from events) as events,
        (select count(*)::int from messages where status = 'queued') as messages`,
    )
    const heard = new Set(receiver.taken.map(({ id }) => id)).size
    return rows[0].messages === 0 && heard === rows[0].events
  })
}

type Event = { id: string }

async function feedOf(api: Ask, limit: number): Promise<Event[]> {
  const { events } = await readOn([api], null, limit)
  return events
}

/** Reads to the end of the feed, page by page, at each API in turn. */
async function readOn(apis: readonly Ask[], from: string | null, limit: number) {
  const events: Event[] = []
  for (let after = from, page = 0; ; page++) {
    const query = after === null ? '' : `&after=${after}`
    const { json } = await (apis[page % apis.length] as Ask)(`GET /events?limit=${limit}${query}`)
    events.push(...json.data)
    after = json.pagination.next
    if (!json.pagination.has_more) return { events, after }
  }
}

/** A client that follows the feed all the time, at both APIs. */
function readAsItGrows({ apis }: TwoProcessCluster) {
  const read: Event[] = []
  let after: string | null = null
  let ended = false
  const more = async (): Promise<void> => {
    const page = await readOn(apis, after, 7)
    read.push(...page.events)
    after = page.after
  }
  const reading = (async () => {
    while (!ended) {
      await more()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await more()
  })()
  return {
    async end(): Promise<Event[]> {
      ended = true
      await reading
      return read
    },
  }
}

function ids(events: readonly Event[]): string[] {
  return events.map(({ id }) => id)
}

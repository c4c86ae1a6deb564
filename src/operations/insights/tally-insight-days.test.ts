import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PoolClient } from 'pg'
import { book, copies } from '../../../test/booked-deliveries.ts'
import { ON_CITUS } from '../../../test/database.ts'
import { type Fixture, testFixture } from '../../../test/fixture.ts'
import { seeded } from '../../../test/harness/random.ts'
import { localDay, zone } from '../../domain/calendar/zone.ts'
import { tallyEnded, tallyExclusions } from '../../store/insights/insights.ts'
import { toSpans } from '../deliveries/ended-period.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { tallyInsightDays } from './tally-insight-days.ts'

const NOT_TALLIED = ON_CITUS && 'Drover doesn’t tally insight days on Citus'
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const DAYS = 9
const DELIVERIES = 60
const STEPS = 150
const ZONES = ['Australia/Melbourne', 'Australia/Adelaide', 'Pacific/Auckland'] as const

test('tallies give the figures of the deliveries, whatever changes when', {
  skip: NOT_TALLIED,
}, async (t) => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const history = await startHistory(t, seed)
  try {
    for (let step = 0; step < STEPS; step++) {
      const name = await history.takeStep()
      for (const { tallied, counted } of await history.answers())
        assert.deepEqual(tallied, counted, `seed ${seed}, step ${step}: ${name}`)
    }
  } finally {
    await history.end()
  }
  assert.ok(history.freshRead() > 0, `seed ${seed}: no answer used a tally`)
})

test('a delivery that ends now records no change, and its day is not tallied yet', async (t) => {
  const { fixture, rowsOf } = await startEnded(t)
  const { db } = fixture.deps
  await db.query(`update deliveries set status = 'delivered', updated_at = now() where reference = 'A'`)
  await db.query(`update deliveries set carrier_event_at = now() where reference = 'A'`)
  await tallyAll(fixture.deps, toEntry(fixture, 'Australia/Melbourne'))
  assert.deepEqual([await rowsOf('insight_changes'), await rowsOf('insight_days')], [0, 0])
})

test('a change that the figures do not show leaves a tally as it is', { skip: NOT_TALLIED }, async (t) => {
  const { fixture, rowsOf } = await startEnded(t)
  const { db } = fixture.deps
  await db.query(`update deliveries set status = 'delivered', updated_at = now() - interval '5 days'`)
  await tallyAll(fixture.deps, toEntry(fixture, 'Australia/Melbourne'))
  assert.deepEqual([await rowsOf('insight_changes'), await rowsOf('insight_days')], [0, 1])
  await db.query('update deliveries set has_proof = true, content_version = content_version + 1')
  assert.equal(await rowsOf('insight_changes'), 0)
  await db.query(`update deliveries set chosen = jsonb_set(chosen::jsonb, '{costCents}', '1')::json`)
  assert.notEqual(await rowsOf('insight_changes'), 0)
})

test('insights read the tally of a day and not its deliveries', async (t) => {
  const { fixture } = await startEnded(t)
  const { db } = fixture.deps
  await db.query(`update deliveries set status = 'delivered', updated_at = now() - interval '5 days'`)
  const entry = toEntry(fixture, 'Australia/Melbourne')
  const read = () => tallyEnded(db, 'demo', wholePeriod(entry), entry.account.zone.name)
  const before = await read()
  await tallyAll(fixture.deps, entry)
  assert.deepEqual(await read(), before)
  // As no service does it: only so can a read show which of the two it used.
  await db.query(`update insight_days set ended = '{}'`)
  assert.deepEqual(await read(), [])
})

test('a store that fails does not stop the others, and stores without a day to tally are counted', {
  skip: NOT_TALLIED,
}, async (t) => {
  const { fixture, rowsOf } = await startEnded(t)
  const entry = toEntry(fixture, 'Australia/Melbourne')
  let asked = 0
  const find = () => {
    asked += 1
    if (asked === 1) throw new Error('its settings cannot be read')
    return entry
  }
  const deps = { ...fixture.deps, accounts: { ...fixture.deps.accounts, find } }
  const stores = await rowsOf('stores')
  assert.deepEqual([await tallyInsightDays(deps), asked], [stores, stores])
  assert.equal(await tallyInsightDays(deps), 0, 'they are due again in an hour')
})

async function startEnded(t: Parameters<typeof testFixture>[0]) {
  const fixture = await testFixture(t)
  await book(fixture, 'A')
  await fixture.parts.runner.stop(30_000)
  const rowsOf = async (table: string) => {
    const { rows } = await fixture.deps.db.query<{ count: number }>(`select count(*)::int from ${table}`)
    return rows[0]?.count
  }
  return { fixture, rowsOf }
}

/** The demo account in a zone, by the wall clock: the database decides by its own whether a day is over. */
function toEntry(fixture: Fixture, zoneName: string): AccountEntry {
  const entry = fixture.demo()
  return { ...entry, nowMs: Date.now, account: { ...entry.account, zone: zone(zoneName) } }
}

function wholePeriod(entry: AccountEntry) {
  const toDay = localDay(entry.account.zone, Date.now() + DAY_MS)
  return {
    storeIds: entry.account.stores.map(({ id }) => id),
    days: toSpans(entry, { fromDay: toDay - DAYS - 2, toDay }),
  }
}

async function tallyAll(deps: Deps, entry: AccountEntry): Promise<void> {
  await deps.db.query(`update insight_progress set look_at = '-infinity'`)
  const accounts = { ...deps.accounts, find: () => entry }
  while ((await tallyInsightDays({ ...deps, accounts })) > 0) {}
}

/** Ended deliveries of two stores that change at random, beside a worker that tallies their days. */
async function startHistory(t: Parameters<typeof testFixture>[0], seed: number) {
  const { fixture } = await startEnded(t)
  const { db } = fixture.deps
  await copies(fixture, 'A', DELIVERIES)
  const { below: upTo, pick: one } = seeded(seed)
  const storeIds = fixture
    .demo()
    .account.stores.map(({ id }) => id)
    .slice(0, 2)
  /** Mostly whole past days; sometimes today. */
  const moment = () => new Date(Date.now() - upTo(DAYS * DAY_MS)).toISOString()
  let zoneName: string = ZONES[0]
  let held: PoolClient | null = null
  let fresh = 0

  const CHANGES: readonly (() => [set: string, value: unknown])[] = [
    () => ['updated_at', moment()],
    () => ['carrier_event_at', moment()],
    () => ['status', one(['delivered', 'returned', 'cancelled', 'booked'])],
    () => ['status', 'delivered'],
    () => ['store_id', one(storeIds)],
    () => ['chosen', one([null, chosen(), chosen()])],
    () => ['decision', one([null, decision(), decision()])],
    () => ['window_from', new Date(Date.now() - DAYS * DAY_MS - upTo(24) * HOUR_MS).toISOString()],
    () => ['window_to', new Date(Date.now() + 30 * DAY_MS - upTo(40 * DAY_MS)).toISOString()],
  ]
  const chosen = () =>
    JSON.stringify({
      provider: one(['swiftly', 'big_haul', null]),
      carrierName: 'Carrier',
      service: one(['NOW', 'ROAD']),
      priceCents: 500 + upTo(500),
      ...(upTo(2) === 0 ? { costCents: upTo(2_000) } : {}),
    })
  const decision = () =>
    JSON.stringify({
      services: Array.from({ length: upTo(4) }, () => ({
        rule: one(['parcel_side', 'parcel_weight', 'delivery_type', null]),
        provider: 'swiftly',
        service: one(['NOW', 'ROAD']),
        ...(upTo(3) === 0 ? {} : { wouldCostCents: upTo(1_500) }),
      })),
    })
  const change = async (on: Pick<PoolClient, 'query'>) => {
    const [column, value] = one(CHANGES)()
    await on.query(
      `update deliveries set ${column} = $1 where account_id = 'demo' and delivery_id = (${randomOne('$2')})`,
      [value, upTo(1e9)],
    )
  }
  const tally = () => tallyAll(fixture.deps, toEntry(fixture, zoneName))

  const STEPS_OF: Readonly<Record<string, () => Promise<unknown>>> = {
    change: () => change(db),
    'many changes': async () => {
      for (let left = upTo(8); left >= 0; left--) await change(db)
    },
    tally,
    'tally beside a change': () => Promise.all([tally(), change(db), tally()]),
    'delete and insert': () =>
      db.query(
        `with gone as (delete from deliveries where account_id = 'demo' and delivery_id = (${randomOne('$1')}) returning *)
         insert into deliveries select new.* from gone, jsonb_populate_record(null::deliveries, to_jsonb(gone) || jsonb_build_object(
           'delivery_id', delivery_id || 'x', 'reference', reference || 'x', 'consignment_number', null, 'updated_at', $2::text)) as new`,
        [upTo(1e9), moment()],
      ),
    'erase one': () =>
      db.query(
        `update deliveries set decision = null,
           status = case when status in ('delivered', 'returned') then status else 'cancelled' end
         where delivery_id = (${randomOne('$1')})`,
        [upTo(1e9)],
      ),
    'hold a change open, or end it': async () => {
      if (held) return endHeld()
      held = await db.connect()
      await held.query('begin')
      await change(held)
    },
    'another zone': async () => {
      zoneName = one(ZONES)
    },
  }
  const endHeld = async () => {
    const client = held
    held = null
    await client?.query(one(['commit', 'commit', 'rollback']))
    client?.release()
  }

  await db.query(
    `update deliveries set status = 'delivered', updated_at = now() - random() * $1 * interval '1 day'`,
    [DAYS],
  )

  return {
    async takeStep(): Promise<string> {
      const [name, take] = one(Object.entries(STEPS_OF))
      await take().catch((error: { code?: string }) => {
        // A window that would end before it begins: the step changes nothing.
        if (error.code !== '23514') throw error
      })
      return name
    },
    async answers() {
      const entry = toEntry(fixture, zoneName)
      const { account } = entry
      const { days: all } = wholePeriod(entry)
      const first = upTo(all.length)
      const days = all.slice(first, first + 1 + upTo(all.length - first))
      const period = { days, storeIds: one([storeIds, storeIds.slice(0, 1), storeIds.slice(1)]) }
      const [ended, exclusions] = await Promise.all([
        tallyEnded(db, 'demo', period, account.zone.name),
        tallyExclusions(db, 'demo', period),
      ])
      const { rows: tallied } = await db.query(
        `select from insight_days as d where from_at = any($1) and to_at = any($2) and not exists (
           select from insight_changes as c where c.store_id = d.store_id and c.at >= from_at and c.at < to_at)`,
        [days.map(({ fromMs }) => new Date(fromMs)), days.map(({ toMs }) => new Date(toMs))],
      )
      fresh += tallied.length
      const values = [
        period.storeIds,
        new Date(days[0]?.fromMs ?? 0).toISOString(),
        new Date(days.at(-1)?.toMs ?? 0).toISOString(),
      ]
      const { rows: endedRows } = await db.query(ENDED, [...values, account.zone.name])
      const { rows: exclusionRows } = await db.query(EXCLUSIONS, values)
      return [
        { tallied: inOrder(ended), counted: inOrder(endedRows) },
        { tallied: exclusions, counted: exclusionRows },
      ]
    },
    end: endHeld,
    freshRead: () => fresh,
  }
}

/** A copy that no open transaction has changed; the booked original has rows that refer to it. */
const randomOne = (
  salt: string,
) => `select delivery_id from deliveries where account_id = 'demo' and reference <> 'A'
  order by md5(delivery_id || ${salt}) limit 1 for update skip locked`

function inOrder(rows: readonly unknown[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort()
}

/** What the tallies must equal: the same figures counted from all deliveries of the period, without days. */
const ENDED = `with placed as (
    select *, coalesce(carrier_event_at, updated_at) as came_at from deliveries
    where account_id = 'demo' and store_id = any($1) and status in ('delivered', 'returned')
      and updated_at >= $2 and updated_at < $3)
  select store_id as "storeId", chosen->>'provider' as provider, chosen->>'carrierName' as carrier,
    chosen->>'service' as service,
    to_char(date_trunc('week', updated_at at time zone $4), 'YYYY-MM-DD') as week, status,
    case
      when status <> 'delivered' or window_from is null then null
      when came_at < window_from - interval '30 minutes' then 0
      when came_at < window_from then 1
      when came_at <= window_to then 2 + least(9, floor(10 * extract(epoch from came_at - window_from)
        / greatest(1, extract(epoch from window_to - window_from)))::int)
      when came_at <= window_to + interval '15 minutes' then 12
      when came_at <= window_to + interval '30 minutes' then 13
      when came_at <= window_to + interval '60 minutes' then 14
      else 15
    end as bin, count(*)::int as deliveries,
    coalesce(sum(coalesce((chosen->>'costCents')::bigint, (chosen->>'priceCents')::bigint)), 0)::float8 as "costCents"
  from placed group by 1, 2, 3, 4, 5, 6, 7`

const EXCLUSIONS = `with exclusions as (
    select rule, provider, service, (chosen->>'priceCents')::bigint - "wouldCostCents" as more
    from deliveries, json_to_recordset(decision->'services') as weighed(
      rule text, provider text, service text, "wouldCostCents" bigint)
    where account_id = 'demo' and store_id = any($1) and status in ('delivered', 'returned')
      and updated_at >= $2 and updated_at < $3 and rule not in ('delivery_type', 'provider_options'))
  select rule, provider, service, count(*)::int as deliveries, count(more)::int as "pricedCount",
    (count(*) filter (where more > 0))::int as "cheaperCount",
    coalesce(sum(more) filter (where more > 0), 0)::float8 as "extraCostCents"
  from exclusions group by 1, 2, 3 order by deliveries desc, 1, 2, 3 limit 50`

import { readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { parse } from 'yaml'
import { startAuspost } from '../fakes/auspost/start-auspost.ts'
import type { RunningFake } from '../fakes/fake.ts'
import { applyAccount } from '../src/operations/accounts/apply-account.ts'
import { setSecret } from '../src/operations/accounts/secrets.ts'
import { makeSealer } from '../src/operations/secrets/seal.ts'
import { AUSPOST, STARTRACK } from './fake-auspost.ts'
import { type Fixture, TUESDAY_TEN_MS, testFixture, WORLD_SECRET_KEY } from './fixture.ts'

const DEMO = parse(readFileSync(new URL('../examples/demo-account.yaml', import.meta.url), 'utf8'), {
  merge: true,
})

export type AuspostFixture = {
  fixture: Fixture
  fake: RunningFake
  /** How often the fake received a request for an operation. */
  asked(operation: string): number
  setSecret(name: string, secret: string): Promise<void>
  /** Moves the clocks of the account and the fake. */
  advance(ms: number): Promise<void>
}

type AuspostOptions = {
  /** Changes to the account document, apart from its carriers. */
  document?: Record<string, unknown>
  /** A rate card that is used while the carrier returns no price. */
  rateCard?: boolean
  secrets?: boolean
  /** Options for the HTTP client of both carriers. */
  wire?: Record<string, unknown>
}

/** The demo account with Australia Post for `standard` and StarTrack for `express`, both on a fake of this test. */
export async function auspostFixture(
  t: TestContext,
  { document = {}, rateCard = true, secrets = true, wire = {} }: AuspostOptions = {},
): Promise<AuspostFixture> {
  const fixture = await testFixture(t)
  const fake = await startAuspost({ nowMs: TUESDAY_TEN_MS })
  t.after(() => fake.close())
  const store = (name: string, secret: string) =>
    setSecret({ db: fixture.deps.db, sealer: makeSealer(WORLD_SECRET_KEY) }, 'demo', { name, secret })
  if (secrets) {
    await store('auspost-key', 'fake-key')
    await store('auspost-password', 'fake-password')
  }
  const shared = {
    adapter: 'auspost',
    base_url: fake.url,
    credentials: { api_key: { secret: 'auspost-key' }, password: { secret: 'auspost-password' } },
    live_prices: true,
    dangerous_goods_manifested_apart: true,
  }
  const [southern] = DEMO.carriers.filter(
    ({ provider }: { provider: string }) => provider === 'southern_parcels',
  )
  const [road, air] = southern.services
  const settings = (account_number: string) => ({
    account_number,
    settle_ms: 1_000,
    ...wire,
  })
  const carriers = [
    {
      ...shared,
      provider: 'auspost',
      name: 'Australia Post',
      settings: settings(AUSPOST),
      services: [service(road, 'Parcel Post', 'T28', rateCard)],
    },
    {
      ...shared,
      provider: 'startrack',
      name: 'StarTrack',
      settings: settings(STARTRACK),
      services: [service(air, 'Road Express', 'EXP', rateCard)],
    },
  ]
  // The longest time-out allowed, so that no price is late by chance.
  const quotes = { carrier_deadline_ms: 10_000 }
  await applyAccount(fixture.deps, { ...DEMO, quotes, ...document, carriers }, { by: 'test' })
  await fixture.deps.accounts.refresh()
  return {
    fixture,
    fake,
    asked: (operation) =>
      fake.ledger.entries({ what: 'request' }).filter((entry) => entry.operation === operation).length,
    setSecret: store,
    async advance(ms) {
      const nowMs = fixture.demo().nowMs() + ms
      fake.clock.advance(ms)
      await fixture.setClock(nowMs)
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a document as untyped JSON.
function service({ price, ...of }: any, name: string, carrier_code: string, rateCard: boolean) {
  const limits = { ...of.limits, dangerous_goods: { classes: ['2.1', '3', '8', '9'] } }
  return { ...of, service: name, carrier_code, manifest_group: name, limits, ...(rateCard ? { price } : {}) }
}

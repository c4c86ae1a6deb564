import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import pino from 'pino'
import { recorder } from '../../src/operations/audit/audit.ts'
import { SCOPES, type Scope } from '../../src/operations/directory/caller.ts'
import { addUser } from '../../src/operations/people/users.ts'
import { makeToken } from '../../src/operations/tokens/access-token.ts'
import { type Api, apiOf, OPERATOR, usedBy } from '../api.ts'
import { ADMIN, apiWithPeople, CLERK, person } from '../people.ts'
import { type SeededAccount, seedAccount } from '../seed-account.ts'

/** A caller, by its credentials. */
export type Actor = { name: string; headers: Readonly<Record<string, string>> }

export type TwoMerchants = {
  api: Api
  /** The account whose callers attack, and the account under attack. */
  own: SeededAccount
  other: SeededAccount
  /** The attacking account's callers, with every right of their kind. */
  callers: { client: Actor; admin: Actor; clerk: Actor }
  /** Callers without a right in the other account. */
  strangers: readonly Actor[]
  /** Callers of the attacked account whose store has none of its resources. */
  limited: readonly Actor[]
  /** The other account's own client, with every scope except this one. */
  without(scope: Scope): Promise<Actor>
  client: Actor
  operator: Actor
  /** The API's log so far. */
  logged(): string
}

export const OTHER = 'other-merchant'
/** Names that identify the other account itself; its resources have a marker. */
export const OTHER_ACCOUNT_WORD = 'Zzyzx'
const ALL = { name: 'Another', scopes: SCOPES }
const OTHER_STORE = 'zz-fitzroy'
const NO_THINGS_STORE = 'zz-parramatta'

/** The demo account and a copy of it, with one of every resource in each; no worker runs any more. */
export async function twoMerchants(t: TestContext): Promise<TwoMerchants> {
  const lines: string[] = []
  const { fixture: peopled } = await apiWithPeople(t)
  const app = apiOf(peopled, pino({ level: 'debug' }, { write: (line: string) => lines.push(line) }))
  t.after(() => app.close())
  const api = await usedBy(app, peopled)
  const { call, operator, tokenOf, fixture } = api
  const demo = await tokenOf('demo-client', 'demo-secret')
  await operator(`PUT /admin/accounts/${OTHER}`, { body: (await otherDocument(api)) as object })
  const clock = { body: { now: '2026-11-24T10:00:00+11:00' } }
  assert.equal((await operator(`PUT /admin/accounts/${OTHER}/clock`, clock)).status, 200)
  const clientOf = async (over: object) => {
    const { json } = await operator(`POST /admin/accounts/${OTHER}/clients`, { body: { ...ALL, ...over } })
    return (scope?: string) => tokenOf(json.data.client_id, json.data.client_secret, scope, OTHER)
  }
  const client = await clientOf({})
  const theirs = await client()
  const ask: Parameters<typeof seedAccount>[0] = (line, options) => call(line, options as object)
  const own = await seedAccount(ask, {
    ...{ accountId: 'demo', token: demo, operator: OPERATOR },
    ...{ store: 'fitzroy', word: 'plover', phone: '+61491570158' },
  })
  const other = await seedAccount(ask, {
    ...{ accountId: OTHER, token: theirs, operator: OPERATOR },
    ...{ store: OTHER_STORE, word: 'quokka', phone: '+61491570159' },
  })
  const gone = (await operator(`POST /admin/accounts/${OTHER}/clients`, { body: ALL })).json.data
  const revoked = await tokenOf(gone.client_id, gone.client_secret, undefined, OTHER)
  await operator(`DELETE /admin/accounts/${OTHER}/clients/${gone.client_id}`)
  const admin = cookie('an admin of another account', (await person(api, ADMIN)).cookie)
  const clerk = cookie('a clerk of another account', (await person(api, CLERK)).cookie)
  const expired = { accountId: OTHER, clientId: 'any', scopes: SCOPES, expiresAtMs: Date.now() - 1 }
  await fixture.parts.runner.stop(5_000)
  const installation = bearer('the operator’s token, which is no caller', OPERATOR)
  return {
    ...{ api, own, other, operator: installation, logged: () => lines.join('') },
    callers: { client: bearer('a client', demo), admin, clerk },
    strangers: [
      { name: 'nobody', headers: {} },
      bearer('a forged token', `${theirs.slice(0, -2)}zz`),
      bearer('an expired token', makeToken(fixture.deps.secretKey, expired)),
      bearer('a revoked client', revoked),
      bearer('a client of another account', demo),
      installation,
      bearer('a driver', other.driverSession),
      { name: 'a customer', headers: { 'link-session': other.linkSession } },
      ...[admin, clerk],
    ],
    limited: [
      bearer('a client of another store', await (await clientOf({ store_references: [NO_THINGS_STORE] }))()),
      cookie('a clerk of another store', await clerkOf(api)),
    ],
    without: async (scope) => {
      const others = SCOPES.filter((one) => one !== scope)
      return bearer(`a token without ${scope}`, await client(others.join(' ')))
    },
    client: bearer('the client itself', theirs),
  }
}

/**
 * The demo's document with other names; it has none of the demo's drivers, because a driver belongs to every account
 * with their phone.
 */
async function otherDocument({ operator }: Api): Promise<unknown> {
  const { json } = await operator('GET /admin/accounts/demo')
  const stores: { reference: string }[] = json.stores
  const text = stores.reduce(
    (all, { reference }) => all.replaceAll(`"${reference}"`, `"zz-${reference}"`),
    JSON.stringify({ ...json, stores: stores.map((store) => ({ ...store, staff_couriers: [] })) }),
  )
  return { ...JSON.parse(text), tenant_id: OTHER, name: OTHER_ACCOUNT_WORD }
}

async function clerkOf(api: Api): Promise<string | null> {
  const who = { email: 'clerk@zzyzx.example', password: 'a long enough phrase' }
  const asked = { ...who, name: 'Zed', role: 'store_clerk', storeReferences: [NO_THINGS_STORE] } as const
  const nobody = { kind: 'command', actor: 'test', action: 'test', ip: null, requestId: null } as const
  await addUser(api.fixture.deps, OTHER, asked, recorder(api.fixture.deps, nobody))
  return (await person(api, who)).cookie
}

function bearer(name: string, token: string): Actor {
  return { name, headers: { authorization: `Bearer ${token}` } }
}

function cookie(name: string, value: string | null): Actor {
  return { name, headers: { cookie: value ?? '', 'sec-fetch-site': 'same-origin' } }
}

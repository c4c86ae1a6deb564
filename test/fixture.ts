import type { TestContext } from 'node:test'
import { type App, composeApp } from '../src/bootstrap/composition-root.ts'
import type { SandboxState } from '../src/carriers/sandbox/sandbox-state.ts'
import { makeLog } from '../src/log.ts'
import type { TraceSettings } from '../src/observability/tracing/settings.ts'
import { setAccountClock } from '../src/operations/accounts/account-clock.ts'
import { ensureDemoAccounts } from '../src/operations/accounts/demo-accounts.ts'
import type { Deps } from '../src/operations/deps.ts'
import type { AccountEntry } from '../src/operations/directory/account-directory.ts'
import type { Caller } from '../src/operations/directory/caller.ts'
import { SCOPES } from '../src/operations/directory/caller.ts'
import { CONNECT_MS, testDatabase } from './database.ts'

/** A caller with every scope in every store. */
export const anyone: Caller = { clientId: 'test', scopes: new Set(SCOPES), storeReferences: null }

/** Tuesday 24 November 2026, 10:00 in Melbourne: the demo account's clock. */
export const TUESDAY_TEN_MS = Date.parse('2026-11-24T10:00:00+11:00')

/** All processes of a fixture share this key. */
export const WORLD_SECRET_KEY = 'a secret key for tests, long enough'

export type Fixture = {
  databaseUrl: string
  parts: App
  deps: Deps
  demo(): AccountEntry
  /** Moves the demo account's clock. */
  setClock(nowMs: number): Promise<void>
}

export type FixtureOptions = {
  /** Workers run. */
  work?: boolean
  allowPrivateWebhooks?: boolean
  /** Drover's address, if not `http://drover.test`. */
  publicUrl?: string
  /** Live mode. */
  live?: boolean
  /** The message gateway; without one, messages stay in the outbox. */
  smtpUrl?: string
  smsUrl?: string
  /** The trace collector; without one, there are no traces. */
  traces?: TraceSettings
  /** A database with a replica, which the caller has migrated. */
  replicated?: { url: string; readUrl: string }
  /** A database behind a pooler. */
  pooled?: { url: string; directUrl: string }
  /** The address of the sandbox carriers; in this process unless given. */
  sandboxOf?: (depsOf: () => Deps) => SandboxState
}

/** The demo accounts in a database, with their clock at Tuesday, 10 am. */
export async function testFixture(
  t: TestContext,
  {
    work = true,
    allowPrivateWebhooks = true,
    sandboxOf,
    replicated,
    pooled,
    ...channels
  }: FixtureOptions = {},
): Promise<Fixture> {
  const url = replicated?.url ?? pooled?.url ?? (await testDatabase()).url
  const running: App = composeApp({
    config: {
      secretKey: WORLD_SECRET_KEY,
      publicUrl: 'http://drover.test',
      allowPrivateWebhooks,
      ...(pooled ? { databaseDirectUrl: pooled.directUrl } : {}),
      ...channels,
    },
    databaseUrl: url,
    databaseReadUrl: replicated?.readUrl ?? null,
    name: 'test',
    passwordLogN: 10,
    pollMs: 200,
    connectMs: CONNECT_MS,
    log: makeLog(process.env.TEST_LOG ?? 'silent'),
    ...(sandboxOf ? { sandbox: sandboxOf(() => running.deps) } : {}),
  })
  t.after(() => running.stop())
  await running.start({ work: false })
  await ensureDemoAccounts(running.deps)
  await setAccountClock(running.deps, 'demo', TUESDAY_TEN_MS)
  await running.deps.accounts.find('demo')
  if (work) running.runner.start()
  return {
    databaseUrl: url,
    parts: running,
    deps: running.deps,
    demo: () => {
      const entry = running.deps.accounts.find('demo')
      if (!entry || entry instanceof Promise) throw new Error('The demo account is not in memory.')
      return entry
    },
    setClock: async (nowMs) => {
      await setAccountClock(running.deps, 'demo', nowMs)
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { SCOPES } from '../../src/operations/directory/caller.ts'
import { ACCOUNTS, type AccountName, accountDocument, OPENS_AT, SECRETS } from './account.ts'
import type { NetworkName } from './networks.ts'

export const OPERATOR = 'the operator of the chaos tests'
const TRIES_MS = 60_000

type Credentials = Record<AccountName, { client_id: string; client_secret: string }>

/** Applies both accounts, with their carriers' secrets and a client each. */
export async function setUpAccounts(
  operate: Operate,
  urlOf: (name: NetworkName) => string,
): Promise<Credentials> {
  const credentials = {} as Credentials
  for (const account of ACCOUNTS) {
    const path = `/admin/accounts/${account}`
    await operate('PUT', path, accountDocument(account, urlOf))
    for (const [name, secret] of Object.entries(SECRETS)) {
      await operate('PUT', `${path}/secrets/${name}`, { secret })
    }
    const made = await operate('POST', `${path}/clients`, { name: account, scopes: SCOPES })
    credentials[account] = made as Credentials[AccountName]
  }
  return credentials
}

/** The operator's request, retried until it succeeds. A body that differs at each attempt is built again for it. */
export type Operate = (method: string, path: string, body: unknown) => Promise<unknown>

/** Retries at either API until it succeeds: an operator's settings may be sent twice. */
export function operator(apis: readonly string[]): Operate {
  return async (method, path, body) => {
    const endMs = performance.now() + TRIES_MS
    for (let turn = 0; ; turn += 1) {
      const api = apis[turn % apis.length] as string
      try {
        const response = await fetch(`${api}${path}`, {
          method,
          headers: { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' },
          body: JSON.stringify(typeof body === 'function' ? body() : body),
        })
        const text = await response.text()
        if (response.ok) return text === '' ? null : (JSON.parse(text).data ?? JSON.parse(text))
        if (response.status < 500 && response.status !== 404) throw new Refused(`${path}: ${text}`)
      } catch (error) {
        if (error instanceof Refused || performance.now() > endMs) throw error
      }
      await sleep(100)
    }
  }
}

class Refused extends Error {}

/**
 * One clock for both accounts: it runs, and can be moved forward. A retry sends a later time, because by then the
 * first one would move the clock back.
 */
export async function accountClock(
  operate: Operate,
): Promise<{ nowMs(): number; forward(minutes: number): Promise<void> }> {
  let offsetMs = Date.parse(OPENS_AT) - performance.now()
  const nowMs = () => offsetMs + performance.now()
  const forward = async (minutes: number): Promise<void> => {
    offsetMs += minutes * 60_000
    for (const account of ACCOUNTS) {
      await operate('PUT', `/admin/accounts/${account}/clock`, () => ({
        now: new Date(nowMs()).toISOString(),
      }))
    }
  }
  await forward(0)
  return { nowMs, forward }
}

import { openAccount, setClock } from '../harness/accounts.ts'
import { type Ask, asker, inTurn, retrying, signedIn } from '../harness/http.ts'
import { type NetworkName, SECRETS } from '../harness/networks.ts'
import { ACCOUNTS, type AccountName, accountDocument, OPENS_AT } from './account.ts'

export const OPERATOR = 'the operator of the chaos tests'
const PATIENCE_MS = 60_000

/** The operator at either API: settings may be sent twice, and an API learns of a new account a moment later. */
export function operatorOf(apis: readonly string[]): Ask {
  const isLater = ({ status }: { status: number }) => status >= 500 || status === 404
  return retrying(inTurn(apis.map((api) => asker(api, OPERATOR))), isLater, PATIENCE_MS)
}

/** Applies both accounts, with their carriers' secrets and a client each, which calls either API. */
export async function setUpAccounts(
  apis: readonly string[],
  operate: Ask,
  urlOf: (name: NetworkName) => string,
): Promise<Record<AccountName, Ask>> {
  const asks = {} as Record<AccountName, Ask>
  for (const account of ACCOUNTS) {
    const credentials = await openAccount(operate, accountDocument(account, urlOf), SECRETS)
    asks[account] = signedIn(inTurn(apis.map((api) => asker(`${api}/${account}`))), credentials)
  }
  return asks
}

/** One clock for both accounts: it runs, and can be moved forward. */
export async function accountClock(
  operate: Ask,
): Promise<{ nowMs(): number; forward(minutes: number): Promise<void> }> {
  let offsetMs = Date.parse(OPENS_AT) - performance.now()
  const nowMs = () => offsetMs + performance.now()
  const forward = async (minutes: number): Promise<void> => {
    offsetMs += minutes * 60_000
    for (const account of ACCOUNTS) await setClock(operate, account, nowMs)
  }
  await forward(0)
  return { nowMs, forward }
}

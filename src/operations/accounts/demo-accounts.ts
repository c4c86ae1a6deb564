import { readFile } from 'node:fs/promises'
import { findAccountHead } from '../../store/accounts/accounts.ts'
import type { AccountDirectory } from '../directory/account-directory.ts'
import { SCOPES } from '../directory/caller.ts'
import { DEMO_CLIENTS } from '../secrets/demo-clients.ts'
import { grantScopes, storeApiClient } from './api-clients.ts'
import { type ApplyDeps, applyAccount } from './apply-account.ts'

/** Creates the demo accounts that are missing, with their clients; existing ones stay as they are. */
export async function ensureDemoAccounts(deps: ApplyDeps & { accounts: AccountDirectory }): Promise<void> {
  for (const { accountId, example, clientId, clientSecret } of DEMO_CLIENTS) {
    if (!(await findAccountHead(deps.db, accountId))) {
      await applyAccount(deps, await readExample(example), { by: 'demo', expectVersion: 0 }).catch(
        async (error) => {
          // Another process that started at the same time may have created it.
          if (!(await findAccountHead(deps.db, accountId))) throw error
        },
      )
    }
    await storeApiClient(deps, accountId, {
      clientId,
      clientSecret,
      name: 'Demo client',
      scopes: SCOPES,
      storeReferences: null,
      owner: null,
    })
    // A demo account from an older version lacks the scopes that were added since.
    await grantScopes(deps, accountId, clientId, SCOPES)
  }
}

async function readExample(name: string): Promise<unknown> {
  const { parse } = await import('yaml')
  return parse(await readFile(new URL(`../../../examples/${name}`, import.meta.url), 'utf8'), { merge: true })
}

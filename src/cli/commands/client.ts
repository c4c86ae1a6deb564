import { Command } from 'commander'
import type { Pool } from 'pg'
import pino from 'pino'
import { createApiClient, listApiClients, revokeApiClient } from '../../operations/accounts/api-clients.ts'
import { makeAccountDirectory } from '../../operations/directory/account-directory.ts'
import { SCOPES } from '../../operations/directory/caller.ts'
import type { CliDeps } from '../deps.ts'
import { commandRecord } from './record.ts'

const EXAMPLES = `
Scopes: ${SCOPES.join(', ')}

Examples:
  drover client create --account demo --name "Web shop" --scope quotes --scope deliveries:write
  drover client create --account demo --name Fitzroy --scope deliveries:read --store fitzroy
  drover client revoke client_3f0c… --account demo`

type CreateOptions = { account: string; name: string; scope: string[]; store?: string[]; json?: true }

export function clientCommand(deps: CliDeps): Command {
  const client = new Command('client')
    .description('API clients and what they may do.')
    .addHelpText('after', EXAMPLES)
  client
    .command('create')
    .description('Create a client. Its secret is shown only once.')
    .requiredOption('--account <id>', 'the account that the client calls')
    .requiredOption('--name <name>', 'a name for people')
    .requiredOption('--scope <scope>', 'what it may do; repeat for more', collect)
    .option('--store <reference>', 'a store it is limited to; repeat for more', collect)
    .option('--json', 'print JSON')
    .action(({ account, name, scope, store, json }: CreateOptions) =>
      deps.withDatabase(async ({ db }) => {
        const newClient = { name, scopes: scope, storeReferences: store ?? null, owner: null }
        const { clientId, clientSecret } = await createApiClient(
          await known(db),
          account,
          newClient,
          commandRecord('createClient'),
        )
        if (json) console.log(JSON.stringify({ client_id: clientId, client_secret: clientSecret }))
        else
          console.log(
            `client_id      ${clientId}\nclient_secret  ${clientSecret}\n\nThe secret is not shown again.`,
          )
      }),
    )
  client
    .command('list')
    .description('List the clients.')
    .requiredOption('--account <id>', 'the account')
    .option('--json', 'print JSON')
    .action(({ account, json }: { account: string; json?: true }) =>
      deps.withDatabase(async ({ db }) => {
        const clients = await listApiClients(await known(db), account)
        const rows = clients.map((entry) => ({
          client_id: entry.clientId,
          name: entry.name,
          scopes: [...entry.scopes],
          store_references: entry.storeReferences && [...entry.storeReferences],
          owner: entry.ownerName,
          created_at: new Date(entry.createdAtMs).toISOString(),
          last_used_at: entry.lastUsedAtMs && new Date(entry.lastUsedAtMs).toISOString(),
        }))
        if (json) console.log(JSON.stringify(rows))
        else {
          for (const row of rows) {
            const stores = row.store_references?.join(' ') ?? 'all stores'
            const used = row.last_used_at ? `last used ${row.last_used_at}` : 'never used'
            const owner = row.owner ? `owned by ${row.owner}` : 'no owner'
            console.log(
              `${row.client_id}  ${row.name}  ${row.scopes.join(' ')}  ${stores}  ${owner}  ${used}`,
            )
          }
        }
      }),
    )
  client
    .command('revoke <client-id>')
    .description('End a client: no more tokens, and its tokens end within 2 seconds.')
    .requiredOption('--account <id>', 'the account')
    .action((clientId: string, { account }: { account: string }) =>
      deps.withDatabase(async ({ db }) => {
        await revokeApiClient(await known(db), account, clientId, commandRecord('revokeClient'))
        console.log(`Revoked ${clientId}.`)
      }),
    )
  return client
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value]
}

async function known(db: Pool) {
  const accounts = makeAccountDirectory({ db, log: pino({ level: 'silent' }) })
  await accounts.refresh()
  return { db, accounts }
}

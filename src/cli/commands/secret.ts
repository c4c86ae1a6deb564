import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { listSecrets, resealAll, setSecret } from '../../operations/accounts/secrets.ts'
import { makeSealer } from '../../operations/secrets/seal.ts'
import type { CliDeps } from '../deps.ts'
import { commandRecord } from './record.ts'

const EXAMPLES = `
Examples:
  drover secret set swiftly-api-key --account demo < key.txt
  drover secret list --account demo
  drover secret reseal

The account document then names it:
  credentials: { api_key: { secret: swiftly-api-key } }`

export function secretCommand(deps: CliDeps): Command {
  const secret = new Command('secret')
    .description("Carriers' credentials, stored encrypted.")
    .addHelpText('after', EXAMPLES)
  secret
    .command('set <name>')
    .description('Store standard input as a secret, or replace the secret.')
    .requiredOption('--account <id>', 'the account it belongs to')
    .action(async (name: string, { account }: { account: string }) => {
      if (process.stdin.isTTY) console.error('Type the secret, then Enter and Ctrl-D.')
      const secret = (await text(process.stdin)).replace(/\r?\n$/, '')
      await deps.withDatabase(({ db, secretKey }) =>
        setSecret(
          { db, sealer: makeSealer(secretKey) },
          account,
          { name, secret },
          commandRecord('setSecret'),
        ),
      )
      console.log(`Stored ${name} of ${account}.`)
    })
  secret
    .command('list')
    .description('List the names of the secrets. Secrets are never shown.')
    .requiredOption('--account <id>', 'the account')
    .option('--json', 'print JSON')
    .action(async ({ account, json }: { account: string; json?: true }) => {
      const secrets = await deps.withDatabase(({ db }) => listSecrets({ db }, account))
      const rows = secrets.map(({ name, updatedAtMs }) => ({
        name,
        updated_at: new Date(updatedAtMs).toISOString(),
      }))
      if (json) console.log(JSON.stringify(rows))
      else for (const row of rows) console.log(`${row.updated_at}  ${row.name}`)
    })
  secret
    .command('reseal')
    .description('After a change of DROVER_SECRET_KEY: encrypt everything with the new one.')
    .action(async () => {
      const { secrets, webhooks, answers, factors } = await deps.withDatabase(
        ({ db, secretKey, oldSecretKeys }) => resealAll({ db, sealer: makeSealer(secretKey, oldSecretKeys) }),
      )
      console.log(
        `Encrypted again: ${secrets} secrets, ${webhooks} webhook endpoints, ${factors} second factors, ${answers} stored responses. ` +
          'You can remove DROVER_OLD_SECRET_KEYS.',
      )
    })
  return secret
}

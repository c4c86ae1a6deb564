import { Command, InvalidArgumentError } from 'commander'
import type { CliDeps } from '../deps.ts'

const EXAMPLES = `
On Citus, --distribute spreads the tables over the workers by account, once; later migrations distribute what they add.
It moves every row and blocks writes meanwhile, so stop the servers first.

Examples:
  drover migrate
  drover migrate --distribute --shards 64`

export function migrateCommand({ migrate, distribute }: CliDeps): Command {
  return new Command('migrate')
    .description('Bring the database to the newest schema. Safe to run again, and while servers are running.')
    .option('--distribute', 'Citus: spread the tables over the workers by account')
    .option(
      '--shards <number>',
      'with --distribute: the number of shards (otherwise citus.shard_count)',
      shards,
    )
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options: { distribute?: true; shards?: number; json?: true }) => {
      const applied = await migrate()
      const distributed = options.distribute ? await distribute({ shards: options.shards }) : []
      if (options.json) console.log(JSON.stringify({ applied, ...(options.distribute && { distributed }) }))
      else if (applied.length === 0) console.log('The database is up to date.')
      else for (const name of applied) console.log(`Applied ${name}`)
      if (!options.json && options.distribute)
        console.log(
          distributed.length === 0
            ? 'Every table is distributed.'
            : `Distributed ${distributed.length} tables: ${distributed.join(', ')}.`,
        )
    })
}

const MAX_SHARDS = 64_000

function shards(given: string): number {
  const count = Number(given)
  if (Number.isInteger(count) && count >= 1 && count <= MAX_SHARDS) return count
  throw new InvalidArgumentError(`Write a whole number from 1 to ${MAX_SHARDS.toLocaleString('en')}.`)
}

import { Command, InvalidArgumentError } from 'commander'
import type { CliDeps } from '../deps.ts'

const EXAMPLES = `
On Citus, run --distribute once. It distributes the tables across the workers by account. Later migrations distribute
the tables that they add.
It moves every row and blocks writes while it runs, so stop Drover first.

Examples:
  drover migrate
  drover migrate --distribute --shards 64`

export function migrateCommand({ migrate, distribute }: CliDeps): Command {
  return new Command('migrate')
    .description('Bring the database to the newest schema. Safe to run again, and while servers are running.')
    .option('--distribute', 'Citus: distribute the tables across the workers by account')
    .option(
      '--shards <number>',
      'with --distribute: the number of shards (default: citus.shard_count)',
      shards,
    )
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options: { distribute?: true; shards?: number; json?: true }, command: Command) => {
      if (options.shards !== undefined && !options.distribute)
        command.error('error: --shards is only for --distribute. Add --distribute, or leave --shards out.')
      const applied = await migrate()
      const distributed = options.distribute ? await distribute({ shards: options.shards }) : []
      if (options.json) console.log(JSON.stringify({ applied, ...(options.distribute && { distributed }) }))
      else if (applied.length === 0) console.log('The database is up to date.')
      else for (const name of applied) console.log(`Applied ${name}`)
      if (!options.json && options.distribute)
        console.log(
          distributed.length === 0
            ? 'Every table was already distributed.'
            : `Distributed: ${distributed.join(', ')}.`,
        )
    })
}

const MAX_SHARDS = 64_000

function shards(given: string): number {
  const count = Number(given)
  if (Number.isInteger(count) && count >= 1 && count <= MAX_SHARDS) return count
  throw new InvalidArgumentError(`Use a whole number from 1 to ${MAX_SHARDS}.`)
}

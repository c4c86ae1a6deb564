import { Command, InvalidArgumentError } from 'commander'
import type { CliDeps } from '../deps.ts'

const EXAMPLES = `
On Citus, run --distribute once. It distributes the tables across the workers by account. Later migrations distribute
the tables that they add.
It moves every row and blocks writes while it runs, so stop Drover first.

With hundreds of millions of deliveries on one PostgreSQL, run --partition once. It partitions events, messages
and booking attempts by month and moves no rows. Drover can keep running. Read docs/operations/partitions.md first.

Examples:
  drover migrate
  drover migrate --distribute --shards 64
  drover migrate --partition`

type Options = { distribute?: true; shards?: number; partition?: true; json?: true }

export function migrateCommand({ migrate, distribute, partition }: CliDeps): Command {
  return new Command('migrate')
    .description('Bring the database to the newest schema. Safe to run again, and while servers are running.')
    .option('--distribute', 'Citus: distribute the tables across the workers by account')
    .option(
      '--shards <number>',
      'with --distribute: the number of shards (default: citus.shard_count)',
      shards,
    )
    .option('--partition', 'partition the largest tables by month')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options, command: Command) => {
      if (options.shards !== undefined && !options.distribute)
        command.error('error: --shards is only for --distribute. Add --distribute, or leave --shards out.')
      if (options.distribute && options.partition)
        command.error('error: --distribute and --partition can’t be used together. Leave one of them out.')
      const applied = await migrate()
      const distributed = options.distribute ? await distribute({ shards: options.shards }) : null
      const partitioned = options.partition ? await partition() : null
      if (options.json)
        return console.log(
          JSON.stringify({
            applied,
            ...(distributed && { distributed }),
            ...(partitioned && { partitioned }),
          }),
        )
      if (applied.length === 0) console.log('The database is up to date.')
      for (const name of applied) console.log(`Applied ${name}`)
      report(distributed, { none: 'Every table was already distributed.', some: 'Distributed' })
      report(partitioned, {
        none: 'The tables were already partitioned by month.',
        some: 'Partitioned by month',
      })
    })
}

function report(tables: readonly string[] | null, { none, some }: { none: string; some: string }): void {
  if (tables) console.log(tables.length === 0 ? none : `${some}: ${tables.join(', ')}.`)
}

const MAX_SHARDS = 64_000

function shards(given: string): number {
  const count = Number(given)
  if (Number.isInteger(count) && count >= 1 && count <= MAX_SHARDS) return count
  throw new InvalidArgumentError(`Use a whole number from 1 to ${MAX_SHARDS}.`)
}

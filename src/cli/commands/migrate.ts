import { Command } from 'commander'
import type { CliDeps } from '../deps.ts'

export function migrateCommand({ migrate }: CliDeps): Command {
  return new Command('migrate')
    .description('Bring the database to the newest schema. Safe to run again, and while servers are running.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const applied = await migrate()
      if (json) console.log(JSON.stringify({ applied }))
      else if (applied.length === 0) console.log('The database is up to date.')
      else for (const name of applied) console.log(`Applied ${name}`)
    })
}

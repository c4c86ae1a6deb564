import { runCommand } from './cli/program.ts'
import { commandDatabase } from './command-database.ts'

const args = process.argv.slice(2)

// Servers and the doctor are read only when they are wanted: a command that checks a file starts in a quarter of the time.
process.exitCode = await runCommand(args.length > 0 ? args : ['start'], {
  ...commandDatabase,
  examine: async () => (await import('./doctor/examine.ts')).examine(commandDatabase),
  start: async () => (await import('./processes.ts')).runStart(),
  api: async () => (await import('./processes.ts')).runApi(),
  worker: async () => (await import('./processes.ts')).runWorker(),
})

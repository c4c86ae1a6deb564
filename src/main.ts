import { runApi, runStart, runWorker } from './processes.ts'

const COMMANDS: Record<string, () => Promise<void>> = { start: runStart, api: runApi, worker: runWorker }

const command = COMMANDS[process.argv[2] ?? 'start']
if (!command) throw new Error(`Unknown command ${process.argv[2]}.`)
try {
  await command()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

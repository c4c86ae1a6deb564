import { exitCodeOf, explain } from './cli/failure.ts'

/** Servers and commands are megabytes of code, so each is imported only when it runs. */
const SERVERS = {
  start: async () => (await import('./bootstrap/processes.ts')).runStart(),
  api: async () => (await import('./bootstrap/processes.ts')).runApi(),
  worker: async () => (await import('./bootstrap/processes.ts')).runWorker(),
}

const args = process.argv.slice(2)
const [name = '', ...more] = args
const server = more.length === 0 && isServer(name) ? SERVERS[name] : null
exitOnBrokenPipe()
process.exitCode = server ? await serve(server) : await command()

/**
 * The output pipe is closed (`drover delivery list | head`): a command exits with 0, and a server shuts down in order.
 * The archive goes on, because its output only reports progress.
 */
function exitOnBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      if (server) process.kill(process.pid, 'SIGTERM')
      else if (name !== 'archive') process.exit(0)
    })
  }
}

function isServer(name: string): name is keyof typeof SERVERS {
  return Object.hasOwn(SERVERS, name)
}

async function serve(run: () => Promise<void>): Promise<number> {
  try {
    await run()
    return 0
  } catch (error) {
    explain(error)
    return exitCodeOf(error)
  }
}

async function command(): Promise<number> {
  const { runCommand } = await import('./cli/program.ts')
  const { commandDatabase } = await import('./bootstrap/command-database.ts')
  const { archiveStorage } = await import('./bootstrap/archive-storage.ts')
  const examine = async () => (await import('./doctor/examine.ts')).examine(commandDatabase)
  return runCommand(args.length === 0 ? ['--help'] : args, {
    ...commandDatabase,
    ...SERVERS,
    archiveStorage,
    examine,
  })
}

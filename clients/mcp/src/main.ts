#!/usr/bin/env node
/** `npx @drover/mcp`: an MCP server over stdio. Only messages go to stdout; logs go to stderr. */
import { toConnection, toRoot } from '../../typescript/src/client.ts'
import { makeRelay } from './relay.ts'
import { readSettings, type Settings, USAGE } from './settings.ts'

const log = (text: string): void => void process.stderr.write(`@drover/mcp: ${text}\n`)

try {
  const settings = readSettings(process.env, process.argv.slice(2))
  if (settings === 'help') process.stderr.write(USAGE)
  else serve(settings)
} catch (error) {
  log((error as Error).message)
  process.exitCode = 2
}

/** Ends when stdin ends and every message has its answer. */
function serve({ options, mayWrite }: Settings): void {
  const path = `${toRoot(options.account)}/mcp${mayWrite ? '?tools=write' : ''}`
  const relay = makeRelay(toConnection(options), path, log)
  const pass = async (line: string): Promise<void> => {
    const answer = await relay(line)
    if (answer !== null) process.stdout.write(`${answer}\n`)
  }
  // Node's readline also ends lines at U+2028, which a JSON string may contain.
  let rest = ''
  process.stdin.setEncoding('utf8')
  process.stdin.on('data', (text) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) void pass(line)
  })
  process.stdin.on('end', () => void pass(rest))
  const end = (): never => process.exit(0)
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  // The assistant has gone.
  process.stdout.on('error', end)
}

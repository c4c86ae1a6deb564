import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Prompts on the terminal without echo. Throws a sentence when there is no terminal. */
export async function askSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('Set DROVER_CLIENT_SECRET: there is no terminal to ask for it.')
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return (await reader.question('')).trim()
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}

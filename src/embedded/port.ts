import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** The previous port if it is free, otherwise another one, which is stored for the next start. */
export async function choosePort(place: string): Promise<number> {
  const file = join(place, 'port')
  const kept = readKept(file)
  if (kept && (await bindOnce(kept))) return kept
  const port = await bindOnce(0)
  if (!port) throw new Error('There is no free port on 127.0.0.1 for PostgreSQL.')
  writeFileSync(file, `${port}\n`)
  return port
}

function readKept(file: string): number | null {
  try {
    return Number(readFileSync(file, 'utf8')) || null
  } catch {
    return null
  }
}

/** The port that could be bound (0 asks for any), released again; null when it is in use. */
function bindOnce(port: number): Promise<number | null> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(null))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(address && typeof address === 'object' ? address.port : null))
    })
  })
}

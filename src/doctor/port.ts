import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Finding } from '../cli/deps.ts'
import type { Config } from '../config.ts'
import { good, note, wrong } from './finding.ts'

/** Whether the port is free, in use by Drover, or in use by another process. */
export async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<Finding> {
  const failure = await tryListen(host, port)
  if (failure === null)
    return good('port', port === 0 ? 'The system chooses a free port.' : `${host}:${port} is free.`)
  if (failure === 'EADDRINUSE') {
    if (await isDrover(host, port)) return good('port', `Drover answers at ${host}:${port}.`)
    const holder = findHolder(port)
    const message = `${host}:${port} is in use by ${holder ?? 'another process'}.`
    return wrong('port', message, 'Stop it, or set PORT to another one.')
  }
  if (failure === 'EACCES') {
    return wrong('port', `This user may not listen on port ${port}.`, 'Set PORT to one above 1023.')
  }
  return note(
    'port',
    `Drover cannot listen on ${host}:${port} (${failure}).`,
    'Set HOST to an address of this machine.',
  )
}

function tryListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port }, () => server.close(() => resolve(null)))
  })
}

const ANSWER_MS = 2_000

async function isDrover(host: string, port: number): Promise<boolean> {
  const name = host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host
  try {
    const answer = await fetch(`http://${name}:${port}/`, { signal: AbortSignal.timeout(ANSWER_MS) })
    return ((await answer.json()) as { name?: unknown }).name === 'Drover'
  } catch {
    return false
  }
}

/** `node (process 1234)`, when the system reports it without running another program. */
function findHolder(port: number): string | null {
  try {
    const inode = ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => listenerIn(file, port)).find(Boolean)
    const pid = inode && readdirSync('/proc').find((entry) => /^\d+$/.test(entry) && isHolding(entry, inode))
    if (!pid) return null
    return `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (process ${pid})`
  } catch {
    return null
  }
}

/** The inode of the socket that listens (state 0A) on the port. */
function listenerIn(file: string, port: number): string | undefined {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const fields = line.trim().split(/\s+/)
    if (fields[1]?.endsWith(wanted) && fields[3] === '0A') return fields[9]
  }
  return undefined
}

function isHolding(pid: string, inode: string): boolean {
  try {
    const folder = `/proc/${pid}/fd`
    return readdirSync(folder).some((fd) => readlinkSync(`${folder}/${fd}`) === `socket:[${inode}]`)
  } catch {
    return false
  }
}

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { maxConnections } from '../src/http/server/listen.ts'
import { testDatabase } from './database.ts'
import { freePort } from './packaged-process.ts'
import { PROGRAM } from './program.ts'
import { without } from './tools.ts'
import { until } from './wait-until.ts'

const DESCRIPTORS = 256
const CONNECTIONS = 300
/** The connections in total, and those from one address over its limit. */
const MOST = maxConnections(DESCRIPTORS)
const BEYOND = 4

/** A proxy's health check has its own connection. */
function statusOf(port: string, path: string): Promise<number | string> {
  return new Promise((resolve) => {
    const asked = get({ port, path, host: '127.0.0.1', agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    asked.on('error', ({ message }) => resolve(message))
  })
}

test('with 256 file descriptors and 300 connections, open connections are served and health checks are answered', {
  skip: without('prlimit'),
}, async (t) => {
  const { url: DATABASE_URL } = await testDatabase(t)
  for (const proxies of ['', '127.0.0.0/8']) {
    const PORT = await freePort()
    const env = { ...process.env, DATABASE_URL, PORT, LOG_LEVEL: 'warn', DROVER_TRUSTED_PROXIES: proxies }
    const server = spawn('prlimit', [`--nofile=${DESCRIPTORS}`, process.execPath, PROGRAM, 'start'], {
      env: { ...env, DROVER_SECRET_KEY: 'the key of a start with few descriptors' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.after(() => server.kill('SIGKILL'))
    let output = ''
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (output += text))
    await until(async () => (await statusOf(PORT, '/health/ready')) === 200)
    assert.match(output, /may open 256 files at once/, 'the start prints a warning')

    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => connected(PORT)))
    // Wait until the process has refused the connections beyond the limit. The others then wait, like a proxy's
    // idle connections.
    const max = (proxies === '' ? Math.ceil(MOST / 2) : MOST) + BEYOND
    await until(() => sockets.filter(({ socket }) => !socket.readableEnded).length <= max)
    const openFiles = () => readdirSync(`/proc/${server.pid}/fd`).length
    for (let n = 0; n < 20; n++) {
      assert.equal(await statusOf(PORT, '/health/ready'), 200, `health check ${n}, ${proxies}: ${output}`)
      assert.ok(openFiles() < DESCRIPTORS - 16, `${openFiles()} files are open`)
    }
    const served = (await Promise.all(sockets.map(({ socket }) => answered(socket)))).filter(
      (one) => one === 200,
    )
    assert.ok(served.length >= 64, `${served.length} open connections are served`)
    const refused = sockets.map(({ first }) => first()).filter((text) => text.startsWith('HTTP/1.1 503'))
    assert.ok(refused.length > 0, 'refused connections get a response before they are closed')
    assert.equal(await statusOf(PORT, '/health/ready'), 200)
    assert.doesNotMatch(output, /EMFILE/)
    for (const { socket } of sockets) socket.destroy()
    const closed = once(server, 'close')
    server.kill('SIGTERM')
    await closed
  }
})

type Connected = { socket: Socket; first(): string }

/** An idle connection, and the bytes that it received before it sent a request. */
function connected(port: string): Promise<Connected> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), '127.0.0.1', () => resolve({ socket, first: () => text }))
    socket.on('error', reject)
    socket.on('error', () => {})
    socket.on('data', (bytes) => (text += bytes))
  })
}

/** The status that an open connection gets; null if it is closed. */
function answered(socket: Socket): Promise<number | null> {
  return new Promise((resolve) => {
    if (socket.destroyed || !socket.writable) return resolve(null)
    socket.once('close', () => resolve(null))
    socket.once('data', (bytes) => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(String(bytes))?.[1])))
    socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n')
  })
}

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { testDatabase } from '../test/database.ts'
import { until } from '../test/wait-until.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

test('npm run dev serves the pages from their sources and the API behind them, and stops with a signal', async (t) => {
  const { url } = await testDatabase(t)
  const [port, serverPort] = [await freePort(), await freePort()]
  const dev = spawn(
    process.execPath,
    ['scripts/dev.ts', '--port', String(port), '--server-port', String(serverPort)],
    { env: { ...process.env, DATABASE_URL: url }, stdio: 'ignore', detached: true },
  )
  // If the test fails, this also stops the server that `dev` started.
  t.after(() => dev.exitCode === null && process.kill(-(dev.pid as number), 'SIGKILL'))
  const get = (path: string, accept: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept } }).catch(() => null)
  await until(async () => (await get('/health/ready', '*/*'))?.status === 200, 'the server is ready')
  const page = (await (await get('/portal/deliveries', 'text/html'))?.text()) ?? ''
  assert.match(page, /src="\/portal\/@vite\/client"/)
  assert.match(page, /src="\/portal\/main\.tsx"/)
  assert.match((await (await get('/portal/main.tsx', '*/*'))?.text()) ?? '', /startApp/)
  const track = await get('/track/unknown', 'application/json')
  assert.equal(track?.status, 404, 'the server answers a request for data at a page’s address')
  dev.kill('SIGTERM')
  const [code] = await once(dev, 'exit')
  assert.equal(code, 0)
})

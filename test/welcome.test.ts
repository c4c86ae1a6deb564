import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { testDatabase } from './database.ts'
import { freePort, shipped } from './shipped.ts'

test('what the start prints is true: addresses, client, and a curl that answers as it stands', async (t) => {
  const { url: DATABASE_URL } = await testDatabase()
  const env = {
    DATABASE_URL,
    PORT: await freePort(),
    DROVER_SECRET_KEY: 'the key of one who reads the start',
  }
  const { said, output, signal, ended } = await shipped(t, 'start', env, /(Ctrl-C stops it)/)
  assert.equal(said, 'Ctrl-C stops it')
  const base = `http://127.0.0.1:${env.PORT}`
  const addresses = [...output().matchAll(/^ {2}\w.* {2}(http:\S+)$/gm)].map(([, address = '']) => address)
  for (const path of ['', '/docs', '/openapi.json', '/health/ready'])
    assert.ok(addresses.includes(base + path), path)
  for (const address of addresses.filter((one) => one !== base)) {
    assert.equal((await fetch(address)).status, 200, address)
  }

  assert.ok(output().includes(`${base}/track/`))

  assert.match(output(), /client demo-client, secret demo-secret/)
  const [command = ''] = /^ {4}TOKEN=[\s\S]*?'$/m.exec(output()) ?? []
  const { stdout } = await promisify(execFile)('sh', ['-c', command])
  const { data } = JSON.parse(stdout)
  assert.ok(data.standard.price_cents > 0, stdout)

  signal('SIGINT')
  assert.deepEqual(await ended, { code: 0, signal: null })
})

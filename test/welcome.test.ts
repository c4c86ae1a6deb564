import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { testDatabase } from './database.ts'
import { freePort, shipped } from './packaged-process.ts'
import { without } from './tools.ts'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/** The commands of its "Five minutes", block by block. */
function blocksToPaste(): string[] {
  const [, part = ''] = /^## Five minutes\n([\s\S]*?)^## /m.exec(README) ?? []
  return [...part.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, lines = '']) => lines.trimEnd())
}

test('the output of start and the README works as printed: addresses, client, curl commands, also twice', {
  skip: without('curl'),
}, async (t: TestContext) => {
  const { url: DATABASE_URL } = await testDatabase()
  const env = {
    DATABASE_URL,
    PORT: await freePort(),
    DROVER_SECRET_KEY: 'the key of a first start, long enough',
  }
  const { message, output, signal, ended } = await shipped(t, 'start', env, /(Ctrl-C stops it)/)
  assert.equal(message, 'Ctrl-C stops it')
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
  const stdout = await inShell(command)
  const { data } = JSON.parse(stdout)
  assert.ok(data.standard.price_cents > 0, stdout)

  const [token, , create] = blocksToPaste().map((lines) => lines.replace('http://127.0.0.1:8080', base))
  const [, again] = /^(curl .*)$/m.exec(create ?? '') ?? []
  // A second later, as by hand: the example builds its body once, so the retry sends the same body.
  const answers = (await inShell(`${token}\n${create}\necho; sleep 1\n${again}`)).split('\n')
  assert.equal(answers.length, 2)
  assert.equal(JSON.parse(answers[0] ?? '').data.status, 'booked')
  assert.equal(answers[1], answers[0], 'the retry returns the same delivery')

  signal('SIGINT')
  assert.deepEqual(await ended, { code: 0, signal: null })
})

async function inShell(lines: string): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', lines])).stdout
}

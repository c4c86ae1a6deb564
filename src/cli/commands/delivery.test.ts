import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { deliveryBody, testApi } from '../../../test/api.ts'
import { PROGRAM, runProgram } from '../../../test/program.ts'

test('erase needs --yes where there is no terminal to confirm it', async (t) => {
  const { call, fixture } = await testApi(t)
  await call('POST /demo/deliveries', { body: deliveryBody({ reference: 'ERASE-1' }) })
  await call('PATCH /demo/deliveries/ERASE-1/request-cancel', { body: {} })
  const env = { DATABASE_URL: fixture.databaseUrl, DROVER_SECRET_KEY: 'k'.repeat(43) }
  const erase = (...more: string[]) =>
    runProgram(['delivery', 'erase', 'ERASE-1', '--account', 'demo', ...more], { env })
  const shown = async () => (await call('GET /demo/deliveries/ERASE-1')).text
  const before = await shown()
  const refused = await erase()
  assert.equal(refused.code, 2)
  assert.match(refused.err, /Nothing was done: there is no terminal.* --yes/)
  assert.equal(await shown(), before)
  assert.equal((await erase('--yes')).code, 0)
  assert.notEqual(await shown(), before)
})

test('a command ends quietly when its reader closes the pipe', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'drover-pipe-'))
  t.after(() => rm(home, { recursive: true }))
  for (const args of ['--help', 'doctor']) {
    const line = `{ "${process.execPath}" "${PROGRAM}" ${args}; echo "ended $?" >&2; } | true`
    const err = await new Promise<string>((resolve) =>
      execFile('sh', ['-c', line], { env: { ...process.env, DROVER_HOME: home } }, (_error, _out, message) =>
        resolve(message),
      ),
    )
    assert.equal(err, 'ended 0\n', args)
  }
})

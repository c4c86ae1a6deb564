import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryBody, testApi } from '../../../test/api.ts'
import { runProgram } from '../../../test/program.ts'

test('after-restore refuses while Drover runs, then prepares each delivery once', async (t) => {
  const env = { DATABASE_URL: '', DROVER_SECRET_KEY: 'k'.repeat(43) }
  const prepare = (...more: string[]) =>
    runProgram(['after-restore', '--moment', new Date().toISOString(), ...more], { env })
  await t.test('while Drover runs', async (running) => {
    const { call, fixture } = await testApi(running)
    env.DATABASE_URL = fixture.databaseUrl
    await call('POST /demo/deliveries', { body: deliveryBody({ reference: 'RESTORED-1' }) })
    const { code, err } = await prepare()
    assert.equal(code, 1)
    assert.match(err, /^Drover is still running on this database: drover test\..* Stop every Drover process/)
  })
  const moment = new Date().toISOString()
  const { code, out, err } = await prepare('--moment', moment)
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^Deliveries that the workers will look up before they book them: 1\.$/m)
  const again = await prepare('--moment', moment, '--json')
  assert.deepEqual(JSON.parse(again.out), { to_look_up: 0, to_ask_staff: 0 })
})

test('after-restore names what is wrong with its moment', async () => {
  const cases = [
    [[], /required option '--moment <instant>' not specified/],
    [['--moment', '2026-11-21 16:30'], /Use an instant with its zone, such as 2026-11-21T16:30:00Z/],
    [['--moment', '2126-11-21 16:30:00+00'], /It is in the future/],
  ] as const
  for (const [args, message] of cases) {
    const { code, err } = await runProgram(['after-restore', ...args])
    assert.equal(code, 2)
    assert.match(err, message)
  }
})

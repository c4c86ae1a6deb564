import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { PROGRAM } from '../../../test/program.ts'
import { FAKES, fakeCommand, formatSignIn } from './fake.ts'

test('a fake listens at its port, accepts its credentials, injects its faults and stops on a signal', async (t) => {
  const child = spawn(process.execPath, [
    PROGRAM,
    'fake',
    'auspost',
    '--faults',
    'track=status:503',
    '--at',
    '2026-11-24T10:00:00+11:00',
  ])
  t.after(() => child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const [line = '', next = ''] = [(await lines.next()).value, (await lines.next()).value]
  const url = /listens on (http:\/\/127\.0\.0\.1:\d+) /.exec(line)?.[1]
  assert.ok(url, line)
  const [, key, password, account] =
    /^Sign in with api_key (\S+), password (\S+), account_number (\d{10}) or \d{8} \(StarTrack\)\.$/.exec(
      next,
    ) ?? []
  const authorization = `Basic ${Buffer.from(`${key}:${password}`).toString('base64')}`
  const known = await fetch(`${url}/shipping/v1/accounts/${account}`, { headers: { authorization } })
  assert.equal(known.status, 200, next)
  assert.equal((await fetch(`${url}/shipping/v1/track?tracking_ids=X1`)).status, 503)
  assert.deepEqual(await (await fetch(`${url}/_fake/clock`)).json(), { now: '2026-11-23T23:00:00.000Z' })

  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('each fake prints everything an account document needs to sign in to it', async (t) => {
  const printed = await Promise.all(
    Object.values(FAKES).map(async (load) => {
      const fake = await (await load())()
      t.after(() => fake.close())
      return formatSignIn(fake)
    }),
  )
  assert.deepEqual(printed, [
    'Sign in with api_key fake-key, password fake-password, account_number 0000123456 or 10123456 (StarTrack).',
    'Sign in with customer_id cus_fake, client_id fake-client-id, client_secret fake-client-secret.',
    'Sign in with developer_id 7c1a3f4e-0000-4000-8000-00000000fa4e, key_id 1d2b6c8a-0000-4000-8000-00000000fa4e, signing_secret ZmFrZS1zaWduaW5nLXNlY3JldC1vZi10aGUtZmFrZQ.',
    'Sign in with client_id fake-client-id, client_secret fake-client-secret.',
  ])
})

test('an unknown fake is rejected with the list of fakes', async () => {
  const cases = [
    [['pigeon'], /There is no fake "pigeon"; there are auspost/],
    [['auspost', '--port', '70000'], /--port must be a number/],
    [['auspost', '--at', 'tomorrow'], /--at must be a time/],
    [['auspost', '--from', 'tomorrow'], /--from must be a time/],
    [
      ['auspost', '--at', '2026-11-24T10:00:00+11:00', '--from', '2026-11-24T10:00:00+11:00'],
      /not both: the clock either stands still or runs/,
    ],
    [['auspost', '--faults', 'track=eaten'], /"track=eaten" is not a fault/],
    [['auspost', '--faults', 'eat=lost'], /there are \*, get_account, /],
  ] as const
  for (const [args, message] of cases)
    await assert.rejects(
      fakeCommand()
        .exitOverride()
        .parseAsync([...args], { from: 'user' }),
      message,
    )
})

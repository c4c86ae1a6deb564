import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { PROGRAM } from '../../test/program.ts'
import { fakeCommand } from './fake.ts'

test('a fake listens where it says, with its faults, until it is told to end', async (t) => {
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
  const [line] = await once(createInterface(child.stdout), 'line')
  const url = /listens on (http:\/\/127\.0\.0\.1:\d+) /.exec(String(line))?.[1]
  assert.ok(url, String(line))
  assert.equal((await fetch(`${url}/shipping/v1/track?tracking_ids=X1`)).status, 503)
  assert.deepEqual(await (await fetch(`${url}/_fake/clock`)).json(), { now: '2026-11-23T23:00:00.000Z' })

  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('what cannot be started is told with what there is', async () => {
  const cases = [
    [['pigeon'], /There is no fake "pigeon"; there are auspost/],
    [['auspost', '--port', '70000'], /--port wants a number/],
    [['auspost', '--at', 'tomorrow'], /--at wants an instant/],
    [['auspost', '--from', 'tomorrow'], /--from wants an instant/],
    [
      ['auspost', '--at', '2026-11-24T10:00:00+11:00', '--from', '2026-11-24T10:00:00+11:00'],
      /a clock stands or runs/,
    ],
    [['auspost', '--faults', 'track=eaten'], /"track=eaten" is not a fault/],
    [['auspost', '--faults', 'eat=lost'], /there are \*, get_account, /],
  ] as const
  for (const [args, words] of cases)
    await assert.rejects(
      fakeCommand()
        .exitOverride()
        .parseAsync([...args], { from: 'user' }),
      words,
    )
})

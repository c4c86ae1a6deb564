import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

test('a fake listens where it says, with its faults, until it is told to end', async (t) => {
  const child = spawn(process.execPath, [
    MAIN,
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
    [['fake', 'pigeon'], /There is no fake "pigeon"; there are auspost/],
    [['fake', 'auspost', '--port', '70000'], /--port/],
    [['fake', 'auspost', '--at', 'tomorrow'], /--at/],
    [['fake', 'auspost', '--faults', 'track=eaten'], /"track=eaten" is not a fault/],
  ] as const
  for (const [args, words] of cases) {
    const { code, err } = await drover(args)
    assert.equal(code, 2, args.join(' '))
    assert.match(err, words)
  }
})

function drover(args: readonly string[]): Promise<{ code: number; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], (error, _, err) =>
      resolve({ code: error ? Number(error.code) : 0, err }),
    )
  })
}

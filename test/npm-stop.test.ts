import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, resolve } from 'node:path'
import { test } from 'node:test'
import { testDatabase } from './database.ts'
import { freePort } from './packaged-process.ts'
import { without } from './tools.ts'
import { until } from './wait-until.ts'

const PROJECT = resolve(import.meta.dirname, '..')

test('a SIGTERM to npm alone stops the server, without a stack trace', {
  skip: without('npm'),
}, async (t) => {
  const { url: DATABASE_URL } = await testDatabase(t)
  // First with this Node: the server runs in the process of bin/drover.mjs. Then with the Node of the PATH, as users
  // start it.
  for (const PATH of [`${dirname(process.execPath)}:${process.env.PATH}`, process.env.PATH]) {
    const PORT = await freePort()
    const env = {
      ...process.env,
      ...{
        PATH,
        DATABASE_URL,
        PORT,
        LOG_LEVEL: 'info',
        DROVER_SECRET_KEY: 'the key of a server whose npm is stopped',
      },
    }
    const npm = spawn('npm', ['start'], { cwd: PROJECT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    t.after(() => npm.kill('SIGKILL'))
    let output = ''
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (text) => (output += text))
    const closed = once(npm, 'close')
    const isServed = () =>
      fetch(`http://127.0.0.1:${PORT}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      )
    await until(isServed, 'it serves').catch((error) => assert.fail(`${error} ${output}`))
    npm.kill('SIGTERM')
    await closed
    assert.equal(await isServed(), false, 'the server has ended when its output is closed')
    assert.doesNotMatch(output, /"stack"|\n {4}at /)
  }
})

import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import pino from 'pino'
import { watchUnhandledFailures } from './unhandled-failures.ts'

test('a temporary failure does not stop the process; a bug does', async () => {
  const lines: { level: number }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const source = new EventEmitter()
  const { fatal, stop } = watchUnhandledFailures(log, source)
  let stoppedBy: unknown = null
  fatal.catch((error: unknown) => {
    stoppedBy = error
  })

  for (const event of ['unhandledRejection', 'uncaughtException']) {
    source.emit(event, new Error('timeout exceeded when trying to connect'))
    source.emit(event, Object.assign(new Error('no space'), { code: '53100' }))
    source.emit(event, Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
  }
  await turn()
  assert.equal(stoppedBy, null)
  assert.deepEqual(
    lines.map(({ level }) => level),
    Array(6).fill(50),
  )

  const bug = new TypeError('x is not a function')
  source.emit('unhandledRejection', bug)
  source.emit('uncaughtException', Object.assign(new Error('closed'), { code: 'EPIPE' }))
  await turn()
  assert.equal(stoppedBy, bug)
  assert.equal(lines[6]?.level, 60)

  stop()
  assert.deepEqual(source.eventNames(), [])
})

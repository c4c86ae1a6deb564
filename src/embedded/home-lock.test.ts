import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { lockHome } from './home-lock.ts'

/** Above Linux's highest process id. */
const UNUSED_PID = 2 ** 30

function temporaryLock(t: TestContext): { home: string; file: string } {
  const home = mkdtempSync(join(tmpdir(), 'drover-lock-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  return { home, file: join(home, 'drover.lock') }
}

function writeLock(file: string, holder: object, touchedAgoMs = 0): void {
  const since = '2026-11-24T00:00:00.000Z'
  writeFileSync(file, JSON.stringify({ pid: UNUSED_PID, start: 'boot 1', since, ...holder }))
  const touched = new Date(Date.now() - touchedAgoMs)
  utimesSync(file, touched, touched)
}

test('the lock of another host is kept while its holder touches it, and taken over afterwards', async (t) => {
  const { home, file } = temporaryLock(t)
  writeLock(file, { host: 'other-container' }, 15_000)
  const holder = setTimeout(() => utimesSync(file, new Date(), new Date()), 300)
  t.after(() => clearTimeout(holder))
  await assert.rejects(lockHome(home), /in use by process \d+ on host other-container since 2026.*Stop that/)
  assert.match(readFileSync(file, 'utf8'), /other-container/)
  writeLock(file, { host: 'other-container' }, 11 * 60_000)
  const unlock = await lockHome(home)
  assert.match(readFileSync(file, 'utf8'), new RegExp(`"pid":${process.pid},.*"host":"${hostname()}",`))
  unlock()
  assert.equal(existsSync(file), false)
})

test('the lock of a container with the same host name is kept while its holder touches it', async (t) => {
  const { home, file } = temporaryLock(t)
  writeLock(file, { host: hostname(), pidNamespace: 'pid:[1]' })
  const holder = setTimeout(() => utimesSync(file, new Date(), new Date(Date.now() + 1)), 300)
  t.after(() => clearTimeout(holder))
  await assert.rejects(lockHome(home), /in use by process/)
})

test('the lock of an ended process of this host is taken over at once', async (t) => {
  const { home, file } = temporaryLock(t)
  const pidNamespace = existsSync('/proc/self/ns/pid') ? readlinkSync('/proc/self/ns/pid') : null
  const here = { host: hostname(), pidNamespace }
  for (const holder of [here, { ...here, start: null }, { start: null }]) {
    writeLock(file, holder)
    const unlock = await lockHome(home)
    unlock()
  }
  writeLock(file, { pid: process.pid, start: null }, 25_000)
  await assert.rejects(lockHome(home), /in use by process \d+ since 2026.*Stop that process/)
})

test('the holder touches its own lock until it releases it', async (t) => {
  const { home, file } = temporaryLock(t)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const ageMs = () => Date.now() - statSync(file).mtimeMs
  const unlock = await lockHome(home)
  const old = new Date(Date.now() - 60_000)
  utimesSync(file, old, old)
  t.mock.timers.tick(5_000)
  assert.ok(ageMs() < 10_000)

  writeLock(file, { host: 'other-container' }, 60_000)
  t.mock.timers.tick(5_000)
  assert.ok(ageMs() > 50_000, 'the lock of a process that took over is left alone')
  unlock()
  assert.equal(existsSync(file), true)
})

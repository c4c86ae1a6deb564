import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { Registry } from 'prom-client'
import type { DataDisk } from '../embedded/disk-space.ts'
import { watchDisks } from './watch-disks.ts'

const full: DataDisk = {
  place: 'database',
  folder: '/srv/data',
  freeBytes: 1_024,
  sizeBytes: 2_048,
  state: 'full',
}

test('a full disk is logged and counted with its folder, and reported to others without it', async (t) => {
  const lines: { msg: string; level: number }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const registry = new Registry()
  const watch = await watchDisks({ home: '/srv', registry, log, read: async () => [full] })
  t.after(() => watch.stop())
  assert.deepEqual(
    lines.map(({ msg, level }) => [level, msg.includes('/srv/data is full')]),
    [[40, true]],
  )
  assert.match(watch.warning() ?? '', /^The data disk is full/)
  const metrics = await registry.metrics()
  assert.match(metrics, /^drover_disk_free_bytes\{volume="database"\} 1024$/m)
  assert.match(metrics, /^drover_disk_size_bytes\{volume="database"\} 2048$/m)
})

test('unreadable disks, and disks with space, cause no warning', async (t) => {
  const log = pino({ level: 'silent' })
  for (const read of [() => Promise.reject(new Error('EIO')), async () => []]) {
    const watch = await watchDisks({ home: '/srv', registry: new Registry(), log, read })
    t.after(() => watch.stop())
    assert.equal(watch.warning(), null)
  }
})

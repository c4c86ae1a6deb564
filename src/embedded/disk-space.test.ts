import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type DiskSpace, diskWarning, FULL_BYTES, readDataDisks, SHORT_BYTES } from './disk-space.ts'

const SIZE_BYTES = 20 * 1_024 ** 3

test('a disk has enough space, is nearly full or is full, and only operators see its name', async (t) => {
  const home = newHome(t)
  const cases: [freeBytes: number, state: string, words: RegExp | null][] = [
    [SHORT_BYTES, 'enough', null],
    [SHORT_BYTES - 1, 'short', /is nearly full \(1023 MiB of 20\.0 GiB free\)\.$/],
    [FULL_BYTES, 'short', /is nearly full \(64 MiB/],
    [FULL_BYTES - 1, 'full', /is full \(63 MiB of 20\.0 GiB free\): free space on it/],
  ]
  for (const [freeBytes, state, words] of cases) {
    const disks = await readDataDisks(home, async () => ({ freeBytes, sizeBytes: SIZE_BYTES }))
    assert.deepEqual(
      disks.map(({ place, state }) => [place, state]),
      [['home', state]],
    )
    const [named, unnamed] = [true, false].map((named) => diskWarning(disks, { named }))
    if (words === null) assert.deepEqual([named, unnamed], [null, null])
    else {
      assert.match(named ?? '', words)
      assert.ok(named?.includes(home))
      assert.ok(!unnamed?.includes(home))
    }
  }
})

test('a home on one disk is listed once, and a missing home by the folder that will hold it', async (t) => {
  const home = newHome(t)
  mkdirSync(join(home, 'postgres'))
  assert.equal((await readDataDisks(home)).length, 1)
  const [disk] = await readDataDisks(join(home, 'not', 'yet'))
  assert.equal(disk?.folder, home)
  assert.ok(disk && disk.freeBytes > 0 && disk.sizeBytes >= disk.freeBytes)
})

test('a disk that cannot be read is left out', async (t) => {
  const unreadable = (): Promise<DiskSpace> => Promise.reject(new Error('EIO'))
  assert.deepEqual(await readDataDisks(newHome(t), unreadable), [])
})

function newHome(t: TestContext): string {
  const home = mkdtempSync(join(tmpdir(), 'drover-disk-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  return home
}

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts'
import { PROGRAM } from './program.ts'

/** A new database takes 40 MB. */
const SIZE = '150m'
const CHUNK = Buffer.alloc(65_536)
/** The size of a file's first block in a file system in memory. */
const PAGE_BYTES = 4_096

test('a start on a full disk prints PostgreSQL’s error, names the disk and says what to do', {
  skip: process.getuid?.() === 0 && process.platform === 'linux' ? false : 'only root can mount a small disk',
}, async (t) => {
  const disk = smallDisk(t)
  const home = join(disk, 'home')
  const { stop } = await startEmbeddedPostgres({ home, log: () => {} })
  await stop()
  const ballast = join(disk, 'ballast')
  fill(ballast)

  const nothing = await startOn(home)
  assert.equal(nothing.code, 2)
  assert.match(nothing.output, /ENOSPC/)
  assert.match(nothing.output, new RegExp(`The disk of ${home} is full \\(0 MiB of 150 MiB free\\)`))

  truncateSync(ballast, truncated(ballast, PAGE_BYTES))
  const little = await startOn(home)
  assert.equal(little.code, 2)
  assert.match(little.output, /FATAL: {2}could not write .*: No space left on device/)
  assert.match(little.output, new RegExp(`The disk of ${home} is full`))
  assert.doesNotMatch(little.output, /Drover runs at/)

  const doctor = await runToEnd('doctor', home)
  assert.match(doctor.output, new RegExp(`The disk of ${home} is full`))
})

function smallDisk(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'drover-full-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder])
  chmodSync(folder, 0o755)
  t.after(() => {
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })
  return folder
}

function fill(ballast: string): void {
  for (const bytes of [CHUNK, CHUNK.subarray(0, PAGE_BYTES)]) {
    try {
      for (;;) writeFileSync(ballast, bytes, { flag: 'a' })
    } catch {
      // The disk is full, as intended.
    }
  }
}

/** The size to truncate the file to, so that this many bytes become free. */
function truncated(file: string, freeBytes: number): number {
  return statSync(file).size - freeBytes
}

const startOn = (home: string) => runToEnd('start', home)

async function runToEnd(command: string, home: string): Promise<{ code: number; output: string }> {
  const { DATABASE_URL: _, ...inherited } = process.env
  const child = spawn(process.execPath, [PROGRAM, command], {
    env: {
      ...inherited,
      DROVER_HOME: home,
      PORT: '0',
      DROVER_SECRET_KEY: 'the key of a start on a full disk',
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  return { code, output }
}

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readClonesCommit } from './version.ts'

test('the version reads the commit of a clone: on a branch, packed, or detached', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'drover-git-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const git = pathToFileURL(`${folder}/`)
  const commit = (letter: string) => letter.repeat(40)
  assert.equal(readClonesCommit(git), null)
  writeFileSync(join(folder, 'HEAD'), `${commit('a')}\n`)
  assert.equal(readClonesCommit(git), 'a'.repeat(12))
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
  assert.equal(readClonesCommit(git), null)
  writeFileSync(join(folder, 'packed-refs'), `# pack-refs\n${commit('b')} refs/heads/main\n`)
  assert.equal(readClonesCommit(git), 'b'.repeat(12))
  mkdirSync(join(folder, 'refs', 'heads'), { recursive: true })
  writeFileSync(join(folder, 'refs', 'heads', 'main'), `${commit('c')}\n`)
  assert.equal(readClonesCommit(git), 'c'.repeat(12))
})

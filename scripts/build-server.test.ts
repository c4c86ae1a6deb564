import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { buildServer, removeAbandoned } from './build-server.ts'
import { madeFolder, programOf } from './program.mjs'

const PROJECT = resolve(import.meta.dirname, '..')

test('the built program prints the same help as the sources', async () => {
  await buildServer()
  const made = programOf(PROJECT)
  assert.equal(made, join(madeFolder(PROJECT), 'main.js'))
  const message = (file: string) => execFileSync(process.execPath, [file, '--help'], { encoding: 'utf8' })
  assert.equal(message(made), message(join(PROJECT, 'src', 'main.ts')))
})

test('built files contain only Latin-1, so that V8 stores them with one byte a character', async () => {
  await buildServer()
  const folder = madeFolder(PROJECT)
  const programs = readdirSync(folder).filter((file) => file.endsWith('.js'))
  const wide = programs.filter((file) => /[^\0-\xff]/.test(readFileSync(join(folder, file), 'utf8')))
  assert.deepEqual(wide, [])
})

test('after a change or a new file the sources run until the next build; a new test file changes nothing', () => {
  const project = mkdtempSync(join(tmpdir(), 'drover-made-'))
  try {
    const madeWith = ['scripts/bundle.ts', 'scripts/licence-notices.ts', 'package-lock.json']
    for (const path of ['src/main.ts', 'src/config.ts', 'fakes/fake.ts', ...madeWith])
      cpSync(join(PROJECT, path), join(project, path))
    const before = madeFolder(project)
    writeFileSync(join(project, 'src', 'config.test.ts'), '')
    assert.equal(madeFolder(project), before)
    assert.equal(programOf(project), join(project, 'src', 'main.ts'))
    writeFileSync(join(project, 'src', 'new.ts'), '')
    const more = madeFolder(project)
    assert.notEqual(more, before)
    writeFileSync(join(project, 'src', 'config.ts'), '\n')
    assert.notEqual(madeFolder(project), more)
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})

test('an installed package runs the release that its manifest names; without one the error says what to do', (t) => {
  const project = mkdtempSync(join(tmpdir(), 'drover-package-'))
  t.after(() => rmSync(project, { recursive: true, force: true }))
  assert.throws(() => programOf(project), /dist\/release\/release\.json is missing\. Reinstall Drover/)
  mkdirSync(join(project, 'dist', 'release'), { recursive: true })
  writeFileSync(join(project, 'dist', 'release', 'release.json'), '{"program":"main.js"}')
  assert.equal(programOf(project), join(project, 'dist', 'release', 'main.js'))
})

test('a build that was replaced recently is kept, however old it is: it may still be running', () => {
  const parent = mkdtempSync(join(tmpdir(), 'drover-old-'))
  const nowMs = Date.now()
  try {
    for (const [name, days] of Object.entries({ running: 90, replaced: 100, leftover: 120 })) {
      mkdirSync(join(parent, name))
      const madeMs = nowMs - days * 24 * 60 * 60 * 1000
      utimesSync(join(parent, name), madeMs / 1000, madeMs / 1000)
    }
    removeAbandoned(parent, nowMs)
    assert.deepEqual(readdirSync(parent), ['running'])
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
})

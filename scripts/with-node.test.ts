import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const WITH_NODE = join(import.meta.dirname, 'with-node.mjs')

test('a file that runs in a recent Node finds its own path and arguments', () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'drover-with-node-'))
  try {
    const file = join(folder, 'main.ts')
    writeFileSync(file, 'console.log(process.argv[1] === import.meta.filename, process.argv.slice(2))\n')
    const message = execFileSync(process.execPath, [WITH_NODE, file, '--anything'], { encoding: 'utf8' })
    assert.equal(message.trim(), "true [ '--anything' ]")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a server that is started without V8’s flags runs with them, in the same process', {
  skip: process.platform === 'win32',
}, () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'drover-with-node-'))
  try {
    const file = join(folder, 'main.mjs')
    writeFileSync(file, 'console.log(typeof gc, process.execArgv.join(" "), process.ppid, process.argv[2])\n')
    const bin = join(folder, 'bin.mjs')
    writeFileSync(
      bin,
      `import { runWithNode } from ${JSON.stringify(WITH_NODE)}
      await runWithNode(${JSON.stringify(file)}, process.argv.slice(2), ['--expose-gc', '--max-semi-space-size=16'])`,
    )
    const run = (...flags: string[]) =>
      execFileSync(process.execPath, [...flags, bin, 'start'], { encoding: 'utf8' }).trim()
    assert.equal(run(), `function --expose-gc --max-semi-space-size=16 ${process.pid} start`)
    const own = run('--max-semi-space-size=8')
    assert.equal(
      own,
      `function --expose-gc --max-semi-space-size=8 ${process.pid} start`,
      'a given flag stays',
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('no script of ours uses import.meta.main, which is false where npm runs it', () => {
  const folder = import.meta.dirname
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  assert.ok(files.length > 50)
  for (const file of files)
    assert.doesNotMatch(readFileSync(join(folder, file), 'utf8'), /\(import\.meta\.main\)/, file)
})

test('a script that is imported elsewhere runs as a program with every Node', (t) => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'drover-main-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'one.ts')
  const isMain = pathToFileURL(join(import.meta.dirname, 'is-main.ts')).href
  writeFileSync(file, `import { isMain } from '${isMain}'\nconsole.log(isMain(import.meta.url))\n`)
  writeFileSync(join(folder, 'other.ts'), `import './one.ts'\n`)
  const run = (...words: string[]) =>
    execFileSync(process.execPath, words, { encoding: 'utf8', cwd: folder }).trim()
  assert.equal(run(file), 'true')
  assert.equal(run(WITH_NODE, 'one.ts'), 'true')
  assert.equal(run(WITH_NODE, 'other.ts'), 'false')
})

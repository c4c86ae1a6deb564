import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

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

test('no script that npm runs uses import.meta.main, which is false there', () => {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'))
  const files = Object.values<string>(scripts).flatMap(
    (line) => /with-node\.mjs (\S+)/.exec(line)?.slice(1) ?? [],
  )
  assert.ok(files.length > 5)
  for (const file of files) {
    const text = readFileSync(join(import.meta.dirname, '..', file), 'utf8')
    assert.doesNotMatch(text, /\(import\.meta\.main\)/, file)
  }
})

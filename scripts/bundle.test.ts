import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bundle } from './bundle.ts'

const PROJECT = join(import.meta.dirname, '..')

test('a bundle that uses node:http does not load Node’s undici', async (t) => {
  const folder = mkdtempSync(join(PROJECT, 'dist', 'bundle-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const source = join(folder, 'source.ts')
  writeFileSync(
    source,
    `import http, { createServer, type Server } from 'node:http'
    import { createRequire } from 'node:module'
    const server: Server = createServer()
    const { maxHeaderSize } = createRequire(import.meta.url)('node:http')
    const loaded = process.moduleLoadList.some((name) => name.includes('undici'))
    console.log(JSON.stringify({ isServer: server instanceof http.Server, maxHeaderSize, loaded }))`,
  )
  await bundle(source, { cwd: PROJECT, folder })
  const printed = execFileSync(process.execPath, [join(folder, 'source.js')], { encoding: 'utf8' })
  assert.deepEqual(JSON.parse(printed), { isServer: true, maxHeaderSize: 16_384, loaded: false })
})

test('a large JSON file is read beside the code, which V8 would keep as source text', async (t) => {
  const folder = mkdtempSync(join(PROJECT, 'dist', 'bundle-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const source = join(folder, 'source.ts')
  const rows = Array.from({ length: 20_000 }, (_, index) => `row ${index}`)
  writeFileSync(join(folder, 'rows.json'), JSON.stringify(rows))
  writeFileSync(join(folder, 'few.json'), JSON.stringify(['one']))
  writeFileSync(
    source,
    `import few from './few.json' with { type: 'json' }
    import rows from './rows.json' with { type: 'json' }
    console.log(JSON.stringify([few[0], rows.length, rows.at(-1)]))`,
  )
  const out = join(folder, 'out')
  await bundle(source, { cwd: PROJECT, folder: out })
  const printed = execFileSync(process.execPath, [join(out, 'source.js')], { encoding: 'utf8' })
  assert.deepEqual(JSON.parse(printed), ['one', 20_000, 'row 19999'])
  assert.ok(readFileSync(join(out, 'source.js'), 'utf8').length < 5_000)
})

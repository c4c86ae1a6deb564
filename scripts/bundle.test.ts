import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

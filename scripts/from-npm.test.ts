import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { getFromNpm } from './from-npm.mjs'

test('a package is used only if its archive has the pinned digest', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'from-npm-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'package'))
  writeFileSync(join(folder, 'package', 'package.json'), '{"name":"tiny","version":"1.0.0"}')
  const archive = join(folder, 'tiny.tgz')
  assert.equal(spawnSync('tar', ['-czf', archive, '-C', folder, 'package']).status, 0)
  const bytes = readFileSync(archive)
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`

  const registry = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return response.end(bytes)
    const dist = { tarball: `${address}/tiny.tgz`, integrity }
    const versions = { '1.0.0': { name: 'tiny', version: '1.0.0', dist } }
    return response.end(JSON.stringify({ name: 'tiny', 'dist-tags': { latest: '1.0.0' }, versions }))
  })
  await new Promise<void>((listening) => registry.listen(0, '127.0.0.1', listening))
  t.after(() => registry.close())
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
  const before = process.env.npm_config_registry
  process.env.npm_config_registry = address
  t.after(() => {
    if (before === undefined) delete process.env.npm_config_registry
    else process.env.npm_config_registry = before
  })

  const home = join(folder, 'homes', 'tiny')
  const get = (wanted: string) =>
    getFromNpm({ name: 'tiny', version: '1.0.0', integrity: wanted }, home, (got) =>
      join(got, 'node_modules', 'tiny'),
    )
  await assert.rejects(get(`sha512-${'A'.repeat(86)}==`), /tiny is not the one/)
  assert.deepEqual(readdirSync(join(folder, 'homes')), [], 'no file of the rejected package is left')
  await get(integrity)
  assert.ok(existsSync(join(home, 'package.json')))
})

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test, { type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { buildClient } from '../../../scripts/build-client.ts'
import { VERSION } from './call.ts'
import { STRICT_SETTINGS, STRICT_SHOP } from './test/strict-shop.ts'

const HERE = resolve(import.meta.dirname, '..')
const TSC = resolve(HERE, '../../node_modules/typescript/bin/tsc')
const MAX_WHOLE_BYTES = 7_000
const MAX_WEBHOOKS_BYTES = 1_200
const MAX_TYPES_BYTES = 90_000

async function gzippedBytes(entry: string): Promise<number> {
  const bundle = await rolldown({ input: join(HERE, 'src', entry), logLevel: 'silent' })
  const { output } = await bundle.generate({ minify: true })
  return gzipSync(output.map((part) => ('code' in part ? part.code : '')).join(''), { level: 9 }).length
}

/** An empty project that has installed the package, as built. */
function consumer(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'drover-consumer-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const installed = join(folder, 'node_modules/@drover/client')
  mkdirSync(installed, { recursive: true })
  symlinkSync(join(HERE, 'package.json'), join(installed, 'package.json'))
  buildClient(join(installed, 'dist'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}

test('the bundle is within its size, whole and webhooks alone', async (t) => {
  const whole = await gzippedBytes('index.ts')
  const webhooks = await gzippedBytes('webhooks.ts')
  t.diagnostic(`gzip: ${whole} bytes whole, ${webhooks} for webhooks alone`)
  assert.ok(whole <= MAX_WHOLE_BYTES, `${whole} bytes`)
  assert.ok(webhooks <= MAX_WEBHOOKS_BYTES, `${webhooks} bytes`)
})

test('its types are strict without @types/node, and Node runs it as installed', (t) => {
  const folder = consumer(t)
  const types = readFileSync(join(folder, 'node_modules/@drover/client/dist/types.generated.d.ts'))
  assert.ok(types.length <= MAX_TYPES_BYTES, `${types.length} bytes of types`)
  for (const file of globSync(join(folder, 'node_modules/@drover/client/dist/*.d.ts'))) {
    // TypeScript 5.5 and 5.6 have no `Uint8Array<…>`; `npm run clients -- drover-types` compiles with them.
    assert.doesNotMatch(readFileSync(file, 'utf8'), /Uint8Array</, file)
  }
  writeFileSync(join(folder, 'shop.ts'), STRICT_SHOP)
  for (const compilerOptions of STRICT_SETTINGS) {
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['shop.ts'] }))
    const { stdout } = spawnSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8' })
    assert.equal(stdout, '', `with ${compilerOptions.moduleResolution}`)
  }
  const program = `import { Drover } from '@drover/client'; import { verifyWebhook } from '@drover/client/webhooks'
    console.log(typeof new Drover({ baseUrl: 'http://x', account: 'a', token: async () => '' }).deliveries.create, typeof verifyWebhook)`
  const args = ['--input-type=module', '--eval', program]
  assert.equal(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }), 'function function\n')
})

test('the version in its requests is the package’s', () => {
  const { version } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'))
  assert.equal(VERSION, version)
})

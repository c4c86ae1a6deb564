import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { licenceNotices } from './licence-notices.ts'

test('each package of a bundle is listed once, with its own licence text', (t) => {
  const project = mkdtempSync(join(tmpdir(), 'drover-notices-'))
  t.after(() => rmSync(project, { recursive: true, force: true }))
  const add = (name: string, manifest: object, files: Record<string, string> = {}) => {
    const folder = join(project, 'node_modules', name)
    mkdirSync(folder, { recursive: true })
    const all = { 'package.json': JSON.stringify({ name, version: '1.0.0', ...manifest }), ...files }
    for (const [file, text] of Object.entries(all)) writeFileSync(join(folder, file), text)
    return folder
  }
  const font = add('@fonts/plain', { license: 'OFL-1.1' }, { LICENSE: 'SIL OPEN FONT LICENSE' })
  const bare = add('bare', { license: 'MIT', author: { name: 'Ada' } })
  const nameless = add('nameless', {})
  const text = licenceNotices([
    join(project, 'src', 'own.ts'),
    join(font, 'index.css'),
    join(bare, 'lib', 'a.js'),
    `${join(bare, 'lib', 'b.js')}?used`,
    '\0virtual',
  ])
  assert.match(text, /@fonts\/plain 1\.0\.0 \(OFL-1\.1\)\n\nSIL OPEN FONT LICENSE/)
  assert.equal(text.match(/bare 1\.0\.0 \(MIT\)\n\nCopyright Ada\. Licence: MIT\./g)?.length, 1)
  assert.doesNotMatch(text, /own|virtual/)
  assert.throws(() => licenceNotices([join(nameless, 'index.js')]), /declares no licence/)
})

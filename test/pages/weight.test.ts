import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildWeb } from '../../scripts/build-web.ts'

const BUILT = 'dist/web'
/** Compressed script until the first page of an app is usable; maps and charts come later. */
const MAX_BYTES = 200_000

test('the first load of each app is small: maps and charts load when they are shown', async () => {
  await buildWeb()
  for (const app of ['portal', 'driver', 'track', 'book']) {
    const html = readFileSync(join(BUILT, app, 'index.html'), 'utf8')
    const scripts = [...html.matchAll(/(?:src|href)="[^"]*\/(assets\/[^"]+\.js)"/g)].map(
      ([, path = '']) => path,
    )
    assert.ok(scripts.length > 0, app)
    const bytes = scripts.reduce((sum, path) => sum + statSync(join(BUILT, app, `${path}.gz`)).size, 0)
    assert.ok(bytes < MAX_BYTES, `${app}: ${bytes} bytes`)
  }
})

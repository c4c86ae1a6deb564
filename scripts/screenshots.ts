/**
 * Takes screenshots of every page at both sizes and in both schemes: `npm run screenshots`, into `dist/screenshots`.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

const folder = resolve('dist/screenshots')
mkdirSync(folder, { recursive: true })
const { status } = spawnSync(process.execPath, ['scripts/test.ts', 'test/pages', '--database=embedded'], {
  stdio: 'inherit',
  env: { ...process.env, SCREENSHOTS: folder },
})
console.log(`\nScreenshots are in ${folder}`)
process.exitCode = status ?? 1

/**
 * Builds what the npm package contains besides its written files: the pages in dist/web, and the program in
 * dist/release, which runs without any other package. npm runs it before `npm pack` and `npm publish`.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readClonesCommit, VERSION } from '../src/cli/version.ts'
import { buildWeb } from './build-web.ts'
import { bundle } from './bundle.ts'
import { RELEASE, RELEASE_MANIFEST } from './program.mjs'

const PROJECT = resolve(import.meta.dirname, '..')

if ((await buildWeb()) === 'no-tools')
  throw new Error('The pages cannot be built without the development packages: run npm ci first.')
const home = join(PROJECT, RELEASE)
const making = `${home}.${process.pid}`
try {
  await bundle('src/main.ts', { cwd: PROJECT, folder: making, home, standsAlone: true })
  const manifest = { version: VERSION, commit: readClonesCommit(), program: 'main.js' }
  writeFileSync(join(making, RELEASE_MANIFEST), `${JSON.stringify(manifest)}\n`)
  rmSync(home, { recursive: true, force: true })
  renameSync(making, home)
} finally {
  rmSync(making, { recursive: true, force: true })
}

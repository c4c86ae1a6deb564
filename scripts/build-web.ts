/** Builds the pages into `dist/web` when their sources have changed; a part of `npm run build`. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'
import { APPS } from '../web/apps.ts'
import { writeApiTypes } from './api-types.ts'
import { licenceNotices, NOTICES_FILE } from './licence-notices.ts'

const PROJECT = resolve(import.meta.dirname, '..')
const OUT = join(PROJECT, 'dist', 'web')
const STAMP = 'made-of'
/** Every app contains some of them. */
const SHARED = ['web/shared/**/*', 'web/*.ts', 'src/domain/**/*.{ts,json}', 'clients/typescript/src/*.ts']
const BUILT_WITH = ['package-lock.json', 'scripts/build-web.ts', 'scripts/licence-notices.ts']
/** Files that we compress for browsers; fonts and pictures already are. */
const TEXT = /\.(html|js|css|svg|json|txt|webmanifest)$/

export type App = keyof typeof APPS
type Outcome = 'fresh' | 'built' | 'no-tools'

/** Builds those of the apps that are stale. */
export async function buildWeb(apps: readonly App[] = Object.keys(APPS) as App[]): Promise<Outcome> {
  const shared = hashOf([...SHARED, ...BUILT_WITH])
  const stale = apps.filter((app) => stampOf(app) !== stampFor(app, shared))
  if (stale.length === 0) return 'fresh'
  if (!existsSync(join(PROJECT, 'node_modules', 'vite', 'package.json'))) return 'no-tools'
  console.error('Building the pages, once …')
  await writeApiTypes()
  const { NODE_ENV: asItWas } = process.env
  for (const app of stale) await buildApp(app, stampFor(app, shared))
  // Vite sets it to `production`, which would make every process started from here live.
  if (asItWas === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = asItWas
  return 'built'
}

/** Another process may be building the same: each builds in its own folder, and one of them stays. */
async function buildApp(app: App, stamp: string): Promise<void> {
  const { build } = await import('vite')
  const { viteConfig } = await import('../web/vite-config.ts')
  const making = join(OUT, `.${app}-${process.pid}`)
  try {
    await build(viteConfig(app, making, [withNotices(app)]))
    const texts = globSync(`${making}/**/*`).filter((path) => TEXT.test(path))
    await Promise.all(texts.map(compress))
    writeFileSync(join(making, STAMP), stamp)
    rmSync(join(OUT, app), { recursive: true, force: true })
    renameSync(making, join(OUT, app))
  } catch (error) {
    if (stampOf(app) !== stamp) throw error
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

/** Writes the licences of an app's packages, styles and fonts beside it. */
const withNotices = (app: App): Plugin => ({
  name: 'licence-notices',
  generateBundle(_, bundle) {
    // Styles import styles without being modules: the fonts they bring in are known by their own files.
    const files = Object.values(bundle).flatMap((file) =>
      file.type === 'asset' ? file.originalFileNames : [],
    )
    const brought = files.map((file) => resolve(PROJECT, 'web', app, file))
    const source = licenceNotices([...this.getModuleIds(), ...brought])
    this.emitFile({ type: 'asset', fileName: NOTICES_FILE, source })
  },
})

function stampOf(app: App): string | null {
  const file = join(OUT, app, STAMP)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

function stampFor(app: App, shared: string): string {
  return `${shared} ${hashOf([`web/${app}/**/*`])}\n`
}

/** Hashes written sources; tests and generated files are left out. */
function hashOf(patterns: readonly string[]): string {
  const hash = createHash('sha256')
  const entries = globSync([...patterns], { cwd: PROJECT, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  for (const file of files.sort()) {
    if (!/\.(test|generated)\.ts$/.test(file)) hash.update(file).update(readFileSync(file))
  }
  return hash.digest('base64url')
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  await Promise.all([
    promisify(brotliCompress)(bytes, quality).then((packed) => writeFile(`${path}.br`, packed)),
    promisify(gzip)(bytes, { level: 9 }).then((packed) => writeFile(`${path}.gz`, packed)),
  ])
}

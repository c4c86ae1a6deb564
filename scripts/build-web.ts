/**
 * Builds the pages into `dist/web` when what they are made of has changed since; `npm run build`. `npm start` and
 * `npm test` run it too. Without the development packages it says so and leaves the API to start without pages.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { writeApiTypes } from './api-types.ts'

const PROJECT = resolve(import.meta.dirname, '..')
const OUT = join(PROJECT, 'dist', 'web')
const STAMP = 'made-of'
/** What a browser is sent compressed; fonts and pictures are so already. */
const TEXT = /\.(html|js|css|svg|json|webmanifest)$/

/** Builds when stale. Another process may be building at the same time: each builds apart, the last one stays. */
export async function buildWeb(): Promise<'fresh' | 'built' | 'no-tools'> {
  const stamp = hashOfSources()
  if (stampOf(OUT) === stamp) return 'fresh'
  if (!existsSync(join(PROJECT, 'node_modules', 'vite', 'package.json'))) return 'no-tools'
  await writeApiTypes()
  const { build } = await import('vite')
  const { APPS, viteConfig } = await import('../web/vite-config.ts')
  const making = `${OUT}-${process.pid}`
  try {
    for (const app of Object.keys(APPS) as (keyof typeof APPS)[]) await build(viteConfig(app, making))
    await Promise.all(
      globSync(`${making}/**/*`)
        .filter((path) => TEXT.test(path))
        .map(compress),
    )
    writeFileSync(join(making, STAMP), stamp)
    rmSync(OUT, { recursive: true, force: true })
    renameSync(making, OUT)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
  return 'built'
}

function stampOf(folder: string): string | null {
  const file = join(folder, STAMP)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** Of everything that a page may be made of: its own files, the domain's, and the packages. */
function hashOfSources(): string {
  const hash = createHash('sha256')
  const files = globSync(
    ['web/**/*.{ts,tsx,css,html,svg,js,json,webmanifest,png}', 'src/domain/**/*.{ts,json}'],
    {
      cwd: PROJECT,
    },
  ).filter((path) => !/\.(test\.ts|generated\.ts)$/.test(path))
  for (const file of [...files.sort(), 'package-lock.json', 'scripts/build-web.ts']) {
    hash.update(file).update(readFileSync(join(PROJECT, file)))
  }
  return hash.digest('hex')
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  await Promise.all([
    promisify(brotliCompress)(bytes, quality).then((packed) => writeFile(`${path}.br`, packed)),
    promisify(gzip)(bytes, { level: 9 }).then((packed) => writeFile(`${path}.gz`, packed)),
  ])
}

if (import.meta.main) {
  const startedMs = performance.now()
  mkdirSync(join(PROJECT, 'dist'), { recursive: true })
  const outcome = await buildWeb()
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  if (outcome === 'built') console.error(`Built the pages in ${seconds} s.`)
  if (outcome === 'no-tools') {
    console.error(
      'The pages are not built: that needs the development packages (npm ci, then npm run build).',
    )
  }
}

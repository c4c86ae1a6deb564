/**
 * Builds the documentation site into `site/dist`: `npm --prefix site run build`, after `npm --prefix site ci`.
 *
 *   SITE_BASE=/drover/        the folder that it is published in; / when left out
 *   SITE_REPOSITORY=https://…/blob/main   where links to source files lead; when left out, they are plain text
 *   --serve                   serves what was built at http://127.0.0.1:4321
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { composePages } from './site/compose-pages.ts'
import { lintBuiltSite } from './site/lint-built-site.ts'
import { readSources } from './site/read-sources.ts'

const ROOT = join(import.meta.dirname, '..')
const SITE = join(ROOT, 'site')
const CONTENT = join(SITE, 'src/content/docs')
const BUILT = join(SITE, 'dist')
const base = process.env.SITE_BASE ?? '/'

if (process.argv.includes('--serve')) {
  astro('preview', '--host', '127.0.0.1')
} else {
  writePages()
  rmSync(BUILT, { recursive: true, force: true })
  astro('build')
  checkBuilt()
}

function writePages(): void {
  rmSync(CONTENT, { recursive: true, force: true })
  const pages = composePages({ ...readSources(ROOT), repositoryUrl: process.env.SITE_REPOSITORY ?? null })
  for (const { slug, text } of pages) {
    const path = join(CONTENT, `${slug}.md`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  mkdirSync(join(SITE, 'public'), { recursive: true })
  copyFileSync(join(ROOT, 'web/shared/mark.svg'), join(SITE, 'public/mark.svg'))
}

function checkBuilt(): void {
  const files = globSync('**/*', { cwd: BUILT }).map((path) => path.replaceAll('\\', '/'))
  const html = files.filter((path) => path.endsWith('.html'))
  const texts = new Map(html.map((path) => [path, readFileSync(join(BUILT, path), 'utf8')]))
  const wrong = lintBuiltSite(texts, new Set(files), base)
  if (wrong.length > 0) {
    console.error(wrong.join('\n'))
    process.exit(1)
  }
  const bytes = files.reduce((sum, path) => sum + statSync(join(BUILT, path)).size, 0)
  console.log(`${html.length} pages, ${(bytes / 1e6).toFixed(1)} MB; every link inside the site resolves.`)
}

function astro(...words: string[]): void {
  const { status } = spawnSync(process.execPath, ['node_modules/astro/bin/astro.mjs', ...words], {
    cwd: SITE,
    stdio: 'inherit',
    env: { ...process.env, SITE_BASE: base, ASTRO_TELEMETRY_DISABLED: '1' },
  })
  if (status !== 0) process.exit(status ?? 1)
}

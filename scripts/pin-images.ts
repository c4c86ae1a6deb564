/**
 * Writes a release's manifests: a copy of deploy/ with every given image pinned by its digest. Works offline;
 * a registry reports the digest when an image is pushed.
 *
 *   node scripts/with-node.mjs scripts/pin-images.ts --out dist/deploy registry.example.com/drover:0.1.0@sha256:… \
 *     node:24.21-bookworm-slim@sha256:… postgres:17@sha256:… nginx:1.28@sha256:…
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { pinImages, readImage } from './release/pinned-images.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: 'dist/deploy' } },
})
try {
  const paths = globSync('deploy/**/*', { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).replaceAll('\\', '/'))
  const files = new Map(paths.map((path) => [path.slice('deploy/'.length), readFileSync(path, 'utf8')]))
  const { pinned, unpinned } = pinImages(files, positionals.map(readImage))
  for (const [path, text] of pinned) {
    mkdirSync(dirname(join(values.out, path)), { recursive: true })
    writeFileSync(join(values.out, path), text)
  }
  console.log(`${values.out}: ${pinned.size} files.`)
  if (unpinned.length > 0) {
    console.error(`Not pinned, because no digest was given: ${unpinned.join(', ')}.`)
    process.exitCode = 1
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}

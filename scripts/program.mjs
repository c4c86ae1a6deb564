/**
 * The program to run: in an installed package the release that build-release.ts made; in a checkout the few files that
 * build-server.ts makes, or the sources without them. 800 modules take Node 200 ms and 12 MB more than ten files do.
 * Plain JavaScript that Node 18 can read.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = /(?<!\.test)\.(ts|json)$/
/** `drover fake` runs the carriers' fakes. */
const SOURCE_FOLDERS = ['src', 'fakes']
const MADE_WITH = ['package-lock.json', 'scripts/bundle.ts', 'scripts/licence-notices.ts']

/** The npm package's program, and the file in that folder which names it. A checkout has sources and ignores both. */
export const RELEASE = 'dist/release'
export const RELEASE_MANIFEST = 'release.json'

/** The file to run: the release, the build of exactly these sources, or `src/main.ts`. */
export function programOf(project) {
  const sources = join(project, 'src', 'main.ts')
  if (!existsSync(sources)) return releasedProgram(project)
  const made = join(madeFolder(project), 'main.js')
  return existsSync(made) ? made : sources
}

function releasedProgram(project) {
  const manifest = join(project, RELEASE, RELEASE_MANIFEST)
  if (!existsSync(manifest))
    throw new Error(
      `This installation of Drover is incomplete: ${manifest} is missing. Reinstall Drover with npm.`,
    )
  return join(project, RELEASE, JSON.parse(readFileSync(manifest, 'utf8')).program)
}

/**
 * Named by a digest of its sources: an existing build is fresh, and a running process keeps the files that it still
 * has to read.
 */
export function madeFolder(project) {
  const hash = createHash('sha256')
  const sources = SOURCE_FOLDERS.flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true })
      .filter((path) => SOURCE.test(path))
      .map((path) => join(folder, path)),
  )
  for (const path of [...MADE_WITH, ...sources.sort()])
    hash.update(path).update(readFileSync(join(project, path)))
  return join(project, 'dist', 'server', hash.digest('hex').slice(0, 16))
}

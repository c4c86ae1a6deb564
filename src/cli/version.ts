import { readFileSync } from 'node:fs'
import about from '../../package.json' with { type: 'json' }

/** Drover's own version, as released. */
export const VERSION: string = about.version

/** The commit of the clone that this runs from, as git abbreviates it; null without one. Runs no program. */
export function readClonesCommit(gitFolder: URL = new URL('../../.git/', import.meta.url)): string | null {
  const read = (path: string) => readFileSync(new URL(path, gitFolder), 'utf8').trim()
  try {
    const head = read('HEAD')
    const branch = /^ref: (\S+)$/.exec(head)?.[1]
    const commit = branch === undefined ? head : (readLoose(read, branch) ?? readPacked(read, branch))
    return commit && /^[0-9a-f]{40,64}$/.test(commit) ? commit.slice(0, SHORT) : null
  } catch {
    return null
  }
}

/** The commit of the clone, or of the npm package's release; null if neither is known. */
export function readCommit(): string | null {
  return readClonesCommit() ?? readReleasesCommit()
}

/** `scripts/build-release.ts` writes it. */
function readReleasesCommit(): string | null {
  try {
    return JSON.parse(readFileSync(RELEASE_MANIFEST, 'utf8')).commit ?? null
  } catch {
    return null
  }
}

const RELEASE_MANIFEST = new URL('../../dist/release/release.json', import.meta.url)
const SHORT = 12

function readLoose(read: (path: string) => string, branch: string): string | null {
  try {
    return read(branch)
  } catch {
    return null
  }
}

/** `git gc` moves branches that rest into one file. */
function readPacked(read: (path: string) => string, branch: string): string | null {
  const line = read('packed-refs')
    .split('\n')
    .find((one) => one.endsWith(` ${branch}`))
  return line?.split(' ')[0] ?? null
}

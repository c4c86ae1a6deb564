import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../scripts/bundle.ts'

const PROJECT = fileURLToPath(new URL('..', import.meta.url))

export type Bundled = { file: string; env: NodeJS.ProcessEnv }

const bundles = new Map<string, Promise<Bundled>>()

/**
 * Bundles a program that tests start often, once in this process, and returns the file and its environment. The bundled
 * program needs a third of the CPU time. The bundle and Node's compile cache are removed when this process ends.
 */
export function bundled(source: URL): Promise<Bundled> {
  const made = bundles.get(source.href) ?? makeBundle(source)
  bundles.set(source.href, made)
  return made
}

async function makeBundle(source: URL): Promise<Bundled> {
  // Inside the project, so that the bundle still finds fonts by their package names.
  const own = join(PROJECT, '.node')
  mkdirSync(own, { recursive: true })
  const folder = mkdtempSync(join(own, 'bundled-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = fileURLToPath(source)
  await bundle(path, { cwd: PROJECT, folder })
  return {
    file: join(folder, `${basename(path, '.ts')}.js`),
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
  }
}

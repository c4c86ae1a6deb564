import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../scripts/bundle.ts'

const PROJECT = fileURLToPath(new URL('..', import.meta.url))

export type Bundled = { file: string; env: NodeJS.ProcessEnv }

/**
 * A program of the tests that is started often, as one bundle, and the environment to start it in: a third of the CPU.
 * Both are gone, with what Node keeps of them, when this process ends.
 */
export async function bundled(source: URL): Promise<Bundled> {
  // Inside the project, because a bundle still finds fonts by the name of their package.
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

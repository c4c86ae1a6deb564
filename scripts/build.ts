/**
 * Builds what is stale, the pages first, then the server's files; runs in `npm run build` and in the
 * background of `npm start`.
 */
import { buildServer } from './build-server.ts'
import { buildWeb } from './build-web.ts'

const BUILDS = [
  ['the pages', buildWeb],
  ['the server', buildServer],
] as const

for (const [what, build] of BUILDS) {
  const startedMs = performance.now()
  try {
    const outcome = await build()
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    if (outcome === 'built') console.error(`Built ${what} in ${seconds} s.`)
    if (outcome === 'no-tools') {
      console.error(
        `Not built: ${what}. The build needs the development packages (npm ci, then npm run build).`,
      )
    }
  } catch (error) {
    console.error(`Could not build ${what}: ${(error as Error).message}`)
    process.exitCode = 1
  }
}

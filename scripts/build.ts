/** Builds what is stale of what runs: the server's files, then the pages; `npm run build`, and `npm start` behind its back. */
import { buildServer } from './build-server.ts'
import { buildWeb } from './build-web.ts'

const BUILDS = [
  ['the server', buildServer],
  ['the pages', buildWeb],
] as const

for (const [what, build] of BUILDS) {
  const startedMs = performance.now()
  const outcome = await build()
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  if (outcome === 'built') console.error(`Built ${what} in ${seconds} s.`)
  if (outcome === 'no-tools') {
    console.error(`Not built: ${what}. That needs the development packages (npm ci, then npm run build).`)
  }
}

/**
 * Tests the OpenAPI document with the tools that integrators use; see docs/operations/clients.md.
 *
 *   npm run clients                    linters, seven generated clients, our own, MCP clients, and Schemathesis
 *   npm run clients -- lint            one part, by its name in `parts.ts`
 *
 * The tools come from their registries into `.node/clients`, in the versions of `tools.ts`; they need Python, Java, Maven and Go.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shipped } from '../packaged-process.ts'
import type { Try } from './part.ts'
import { PARTS } from './parts.ts'

const wanted = process.argv.slice(2)
const parts = Object.entries(PARTS).filter(([name]) => wanted.length === 0 || wanted.includes(name))
if (parts.length === 0)
  throw new Error(`There is no part ${wanted}. Choose one of ${Object.keys(PARTS).join(', ')}.`)

const ends: (() => unknown)[] = []
let failed = 0
try {
  const folder = await mkdtemp(join(tmpdir(), 'drover-clients-'))
  ends.push(() => rm(folder, { recursive: true }))
  const env = { DROVER_HOME: join(folder, 'home'), PORT: '0' }
  const started = /Drover runs at {2}(http:\S+)/
  const { message: url } = await shipped(
    { after: (end) => ends.push(end as () => unknown) },
    'start',
    env,
    started,
  )
  const document = join(folder, 'openapi.json')
  await writeFile(document, await (await fetch(`${url}/openapi.json`)).text())
  const attempt: Try = { url, document, folder }
  for (const [name, run] of parts) {
    const wrong = await run(attempt).catch((error: Error) => error.message)
    console.log(wrong === '' ? `✔ ${name}` : `✖ ${name}\n${wrong}`)
    if (wrong !== '') failed++
  }
} finally {
  for (const end of ends.reverse()) await end()
}
console.log(`${parts.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

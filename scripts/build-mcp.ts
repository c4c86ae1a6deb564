/** Builds `clients/mcp/dist`, what `npm publish` there sends: one module, with the parts of `@drover/client` that it uses. */
import { chmodSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeApiClient } from './api-client.ts'
import { isMain } from './is-main.ts'

const PROJECT = resolve(import.meta.dirname, '../clients/mcp')

/** Returns the built program. */
export async function buildMcp(folder = join(PROJECT, 'dist')): Promise<string> {
  writeApiClient()
  const { build } = await import('rolldown')
  const file = join(folder, 'main.mjs')
  await build({
    input: join(PROJECT, 'src/main.ts'),
    cwd: PROJECT,
    platform: 'node',
    logLevel: 'warn',
    // Not minified: people read what they start on their own machine.
    output: { file, format: 'esm' },
  })
  chmodSync(file, 0o755)
  return file
}

if (isMain(import.meta.url)) await buildMcp()

/** Builds `clients/typescript/dist`, what `npm publish` there sends: modules and their types. */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeApiClient } from './api-client.ts'
import { isMain } from './is-main.ts'

const ROOT = resolve(import.meta.dirname, '..')
const TSC = resolve(ROOT, 'node_modules/typescript/bin/tsc')

/** `folder`: where the modules go. */
export function buildClient(folder = resolve(ROOT, 'clients/typescript/dist')): void {
  writeApiClient()
  rmSync(folder, { recursive: true, force: true })
  const project = resolve(ROOT, 'clients/typescript')
  execFileSync(
    process.execPath,
    [TSC, '-p', project, '--noEmit', 'false', '--declaration', '--outDir', folder],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  // The compiler rewrites `./call.ts` in modules, but not in declarations.
  for (const file of globSync(`${folder}/*.d.ts`)) {
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll(/(from '\.\/[\w.-]+)\.ts'/g, "$1.js'"))
  }
}

if (isMain(import.meta.url)) buildClient()

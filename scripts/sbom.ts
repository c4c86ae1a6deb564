/**
 * Writes the software bill of materials (CycloneDX) of every locked package to dist/sbom.cdx.json; `npm run sbom`.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const FILE = 'dist/sbom.cdx.json'

// Nothing is left out, because the shipped pages contain their libraries. From the lock file, so that packages for
// other systems count too.
const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
const { npm_execpath: npm } = process.env
const { status, stdout, stderr } = npm
  ? spawnSync(process.execPath, [npm, ...args], { encoding: 'utf8', maxBuffer: 64 * 1_048_576 })
  : spawnSync('npm', args, { encoding: 'utf8', maxBuffer: 64 * 1_048_576 })
if (status !== 0) throw new Error(`npm sbom ended with ${status}: ${stderr}`)

const { components } = JSON.parse(stdout) as { components: { name: string; version: string }[] }
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: object }
const named = new Set(components.map(({ name, version }) => `${name}@${version}`))
const missing = Object.entries(packages as Record<string, { version: string }>)
  .filter(([path]) => path !== '')
  .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`)
  .filter((one) => !named.has(one))
if (missing.length > 0) throw new Error(`npm sbom left out ${missing.join(', ')}.`)

mkdirSync('dist', { recursive: true })
writeFileSync(FILE, stdout)
console.log(`${FILE}: ${components.length} packages.`)

/**
 * Prints the notes of a release, which are written by hand in CHANGELOG.md:
 * `node scripts/with-node.mjs scripts/release/release-notes.ts v0.1.0`. Fails if the tag is not the version of every package,
 * or if the section is missing, has no date or has no notes.
 */
import { readFileSync } from 'node:fs'
import { isMain } from '../is-main.ts'

const PACKAGES = ['package.json', 'clients/typescript/package.json', 'clients/mcp/package.json']
const PYTHON_VERSION = 'clients/python/drover/_version.py'

export function releaseNotes(changelog: string, version: string): string {
  const heading = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - (\\S+)$`, 'm').exec(changelog)
  if (!heading) throw new Error(`CHANGELOG.md has no section ${version}.`)
  if (!/^\d{4}-\d\d-\d\d$/.test(heading[1] as string))
    throw new Error(
      `The section ${version} of CHANGELOG.md has no date. Write ## [${version}] - 2027-01-31, for example.`,
    )
  const rest = changelog.slice(heading.index + heading[0].length)
  const end = rest.search(/^## /m)
  const notes = (end === -1 ? rest : rest.slice(0, end)).trim()
  if (notes === '') throw new Error(`The section ${version} of CHANGELOG.md has no notes.`)
  return notes
}

export function requireVersions(version: string, read = readText): void {
  for (const path of PACKAGES) {
    const found = (JSON.parse(read(path)) as { version: string }).version
    requireVersion(version, path, found)
  }
  requireVersion(version, PYTHON_VERSION, /^VERSION = "(.*)"$/m.exec(read(PYTHON_VERSION))?.[1])
}

function requireVersion(version: string, path: string, found: string | undefined): void {
  if (found !== version) throw new Error(`The tag is for ${version}, but ${path} has version ${found}.`)
}

function readText(path: string): string {
  return readFileSync(path, 'utf8')
}

if (isMain(import.meta.url)) {
  const version = (process.argv[2] ?? '').replace(/^v/, '')
  requireVersions(version)
  console.log(releaseNotes(readText('CHANGELOG.md'), version))
}

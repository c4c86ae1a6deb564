import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const NOTICES_FILE = 'licences.txt'

const LICENCE_FILE = /^(licen[cs]e|copying|ofl|notice)([.-].*)?$/i
const HEAD = `Packages built into these files. Drover itself is under the Apache License 2.0. Each package is listed with its
licence, as it comes with the package. Made by the build; do not edit.
`

/** The licence notices of every package in a bundle: the terms for redistributing it. */
export function licenceNotices(modules: Iterable<string>): string {
  const notices = [...packageFolders(modules)].sort().map(noticeOf)
  return [HEAD, ...notices].join(`\n${'-'.repeat(80)}\n\n`)
}

/** The folder of each module's package; our own modules have no package. */
function packageFolders(modules: Iterable<string>): Set<string> {
  const folders = new Set<string>()
  for (const module of modules) {
    const [, folder] = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/?]+)/.exec(module) ?? []
    if (folder && existsSync(join(folder, 'package.json'))) folders.add(folder)
  }
  return folders
}

function noticeOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { name, version, license, author } = manifest as Record<string, unknown>
  if (typeof license !== 'string')
    throw new Error(`${name} declares no licence, so we may not redistribute it.`)
  const texts = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const by = typeof author === 'string' ? author : (author as { name?: string } | undefined)?.name
  // A package without a licence text is listed with its author, under the text of the same licence above or
  // below.
  const message =
    texts.length > 0 ? texts : [`Copyright ${by ?? `the authors of ${name}`}. Licence: ${license}.`]
  return `${name} ${version} (${license})\n\n${message.join('\n\n')}\n`
}

import { existsSync, globSync, readFileSync } from 'node:fs'
import { MUST_BE_LISTED, SIDEBAR, UNLISTED } from './site-pages.ts'

/** The Markdown of every page of the site, and of the README, whose sections some pages include. */
export function readSources(root = '.') {
  const listed = SIDEBAR.flatMap(({ files }) => files.map(({ file }) => file))
  const all = globSync('{*.md,{docs,clients,site/pages}/**/*.md}', {
    cwd: root,
    exclude: (path) => String(path).includes('node_modules'),
  }).map((path) => path.replaceAll('\\', '/'))
  const wrong = [
    ...all
      .filter((path) => MUST_BE_LISTED.test(path) && !listed.includes(path))
      .map((path) => `${path} is not in SIDEBAR (scripts/site/site-pages.ts)`),
    ...listed
      .filter((file) => !all.includes(file))
      .map((file) => `SIDEBAR names ${file}, which does not exist`),
  ]
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  const files = ['README.md', ...listed, ...all.filter((path) => UNLISTED.test(path))]
  return {
    texts: new Map(files.map((file) => [file, readFileSync(`${root}/${file}`, 'utf8')])),
    exists: (path: string) => existsSync(`${root}/${path}`),
  }
}

import type { SourceFile } from './lint-sources.ts'

/** Source files of one folder, tests and generated files apart. */
const MAX_FILES = 20
/** Of `src` itself: everything else has a folder. */
const MAX_ROOT_FILES = 3
/** A server that imitates a carrier is as large as the carrier's API. */
const LARGE_FOLDERS = ['fakes/auspost']

/** Terms that engineers search for: each opens the first doc comment of the file that implements it. */
const PATTERNS = [
  'circuit breaker',
  'dead letter',
  'backoff',
  'load shedding',
  'backpressure',
  'fencing token',
  'orphaned booking',
  'single-flight',
  'batching',
  'bulkhead',
  'quarantine of poison rows',
  'reconciliation',
  'transactional outbox',
  'admission queue',
  'rate limit',
] as const

/** Mistakes in the folders of `src`, the names of its patterns and the glossary's files, one sentence each. */
export function lintStructure(
  files: readonly SourceFile[],
  glossary: string,
  exists: (path: string) => boolean,
): string[] {
  const sources = files.filter(({ path }) => /^(src|fakes)\//.test(path) && !isTest(path))
  return [
    ...largeFolders(sources),
    ...unnamedPatterns(sources),
    ...danglingDocuments(files, exists),
    ...danglingTerms(glossary, exists),
    ...unfindableRules(sources, glossary),
  ]
}

function largeFolders(sources: readonly SourceFile[]): string[] {
  const folders = Map.groupBy(
    sources.filter(({ path }) => !path.includes('.generated.')),
    ({ path }) => path.slice(0, path.lastIndexOf('/')),
  )
  return [...folders].flatMap(([folder, inside]) => {
    const max = folder === 'src' ? MAX_ROOT_FILES : MAX_FILES
    const isFine = inside.length <= max || LARGE_FOLDERS.includes(folder)
    return isFine ? [] : [`${folder} has ${inside.length} source files, over ${max}: split it by subject.`]
  })
}

function unnamedPatterns(sources: readonly SourceFile[]): string[] {
  const openings = sources.map(({ text }) => firstDocComment(text))
  return PATTERNS.filter((term) => !openings.some((opening) => opening.startsWith(term))).map(
    (term) => `No file of src opens its first doc comment with "${term}": engineers search for it.`,
  )
}

function firstDocComment(text: string): string {
  const comment = /\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? ''
  return comment
    .replaceAll(/^\s*\*?\s?/gm, '')
    .trim()
    .toLowerCase()
}

/** A rule whose source cannot be read cannot be followed. */
function danglingDocuments(files: readonly SourceFile[], exists: (path: string) => boolean): string[] {
  return files.flatMap(({ path, text }) => {
    const folder = path.slice(0, path.lastIndexOf('/'))
    const comments = text.split('\n').filter((line) => /^\s*(\/\/|\/?\*)|\s\/\/\s/.test(line))
    // What begins with a slash is an address of the service.
    const named = comments.flatMap((line) => line.match(/(?<![\w/.-])[\w.-][\w./-]*\.md\b/g) ?? [])
    return named
      .filter((document) => !exists(document) && !exists(`${folder}/${document}`))
      .map((document) => `${path} names ${document}, which is not in the repository: write the rule out.`)
  })
}

function danglingTerms(glossary: string, exists: (path: string) => boolean): string[] {
  return [...glossary.matchAll(/`([a-z][\w/-]+\.ts)`/g)].flatMap(([, path = '']) =>
    exists(`src/${path}`) ? [] : [`docs/glossary.md names ${path}, which does not exist.`],
  )
}

/** A rule of delivery is found by searching for its word, so its file has to hold each word of its row. */
function unfindableRules(sources: readonly SourceFile[], glossary: string): string[] {
  const rows = glossary.split(/^## /m).find((section) => section.startsWith(RULES)) ?? ''
  return [...rows.matchAll(/^\| (.+?) \|.*`([a-z][\w/-]+\.ts)` \|$/gm)].flatMap(([, terms = '', path]) => {
    const file = sources.find((source) => source.path === `src/${path}`)
    const text = (file?.text ?? '').replaceAll(/_|\s+(\* )?/g, ' ').toLowerCase()
    return terms
      .split(', ')
      .filter((term) => file && !text.includes(term.toLowerCase()))
      .map((term) => `src/${path} doesn't name "${term}", the word that docs/glossary.md gives its rule.`)
  })
}

/** The glossary's section of rules. */
const RULES = 'Rules of delivery'

const isTest = (path: string) => path.endsWith('.test.ts')

import type { SourceFile } from './lint-sources.ts'

/** Private words, each with the field's word. No identifier and no comment may contain one. */
const PRIVATE_WORDS = new Map([
  ['stray', 'orphaned'],
  ['wish', 'request'],
  ['news', 'update'],
  ['desk', 'gateway, server or resolver'],
  ['crowd', 'concurrency limit'],
  ['shelf', 'cache'],
  ['parked', 'dead-lettered'],
  ['cure', 'retry or remedy'],
  ['deed', 'ledger entry'],
  ['reckoning', 'report'],
  ['inhabit', 'seed'],
  ['anew', 'again'],
])

/** Parts of names that break a rule of STYLE.md. */
const NAME_RULES: readonly { pattern: RegExp; why: string }[] = [
  { pattern: /^(MOST|LEAST)_|_(MOST|LEAST)$/, why: 'a limit is MAX_ or MIN_' },
  { pattern: /^(most|least)[A-Z]/, why: 'a limit is max… or min…' },
]

/** A row of the table "Renamed" in CHANGELOG.md. */
export type Renamed = { kind: string; old: string; now: string }

/** The table "Renamed" of the changelog. */
export function renamedIn(changelog: string): Renamed[] {
  const table = changelog.split('**Renamed**')[1]?.split('\n**')[0] ?? ''
  return [...table.matchAll(/^\| ([a-z][^|]*) \| `([^`]+)` \| `([^`]+)` \|$/gm)].map(
    ([, kind = '', old = '', now = '']) => ({ kind, old, now }),
  )
}

/** Tables and columns that a migration renamed. */
export function columnsRenamedIn(sql: string): Renamed[] {
  const tables = [...sql.matchAll(/^alter table (\w+) rename to (\w+);$/gm)]
  const columns = [...sql.matchAll(/^alter table \w+ rename column (\w+) to (\w+);$/gm)]
  return [
    ...tables.map(([, old = '', now = '']) => ({ kind: 'table', old, now })),
    ...columns.map(([, old = '', now = '']) => ({ kind: 'column', old, now })),
  ]
}

/** Kinds of names that are searched for in the text of every file, because they have no other meaning. */
const IS_DISTINCT = /^(metric|alert|code|event|path|rule|schema|operation)/

/**
 * What is wrong with names, a sentence each: private words and old names that came back. `openApi` is the document as
 * JSON; an old field may not be a property of it.
 */
export function lintNames(
  files: readonly SourceFile[],
  renamed: readonly Renamed[],
  openApi: string,
): string[] {
  const distinct = renamed.filter(
    ({ kind, old }) => IS_DISTINCT.test(kind) || (/^(table|column)$/.test(kind) && old.includes('_')),
  )
  const patterns = distinct.map((one) => ({ ...one, pattern: wholeWord(one.old) }))
  const fields = renamed.filter(({ kind, old }) => kind.startsWith('field') && !old.includes('.'))
  return [
    ...files.flatMap(({ path, text }) => [
      ...patterns
        .filter(({ pattern }) => pattern.test(text))
        .map(({ kind, old, now }) => `${path} names the ${kind} ${old}: it is ${now} now.`),
      ...(/\.tsx?$/.test(path) ? privateWords(path, text) : []),
    ]),
    ...fields
      .filter(({ old }) => openApi.includes(`"${old}":{`) || openApi.includes(`"name":"${old}"`))
      .map(({ old, now }) => `OpenAPI has the field ${old}: it is ${now} now.`),
  ]
}

function wholeWord(name: string): RegExp {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
  return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`)
}

function privateWords(path: string, text: string): string[] {
  const found = new Map<string, string>()
  const bare = withoutStrings(text)
  for (const { 0: name, index } of bare.matchAll(/[A-Za-z_$][\w$]*/g)) {
    if (found.has(name)) continue
    const rule = NAME_RULES.find(({ pattern }) => pattern.test(name))
    const why = betterWord(name) ?? rule?.why
    if (why) found.set(name, `${path}:${lineAt(bare, index)}: ${name}: ${why}.`)
  }
  return [...found.values()]
}

function betterWord(name: string): string | undefined {
  const better = wordsOf(name).flatMap(
    (word) => PRIVATE_WORDS.get(word) ?? PRIVATE_WORDS.get(word.replace(/(s|ed|es)$/, '')) ?? [],
  )
  return better.length > 0 ? `say ${better.at(-1)}` : undefined
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** `listCarrierNews` → list, carrier, news. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_$]+/)
    .map((word) => word.toLowerCase())
}

/** Without string literals: they hold what carriers and customers say. Comments stay. */
function withoutStrings(text: string): string {
  return text.replaceAll(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, "''")
}

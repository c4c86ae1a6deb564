import type { SourceFile } from './lint-sources.ts'

const MAX_LINES = 300
/** Files that may only have tables and schemas, by name. */
const TABLES = ['schemas.ts', 'tables.ts', 'statuses.ts', 'refusals.ts', 'settings.ts']

/**
 * Adapters that are too large, one sentence each: the limit is 300 lines without tables and schemas, which
 * contain no functions. Code beyond that belongs elsewhere, or is not needed. Lines exclude imports, comments
 * and blanks.
 */
export function lintAdapters(files: readonly SourceFile[]): string[] {
  const own = files.flatMap(({ path, text }) => {
    const [, adapter = '', file = ''] = /^src\/carriers\/adapters\/([^/]+)\/([^/]+)$/.exec(path) ?? []
    const counts = adapter !== '' && !file.endsWith('.test.ts')
    return counts ? [{ path, adapter, text, isTable: TABLES.includes(file) }] : []
  })
  const clever = own.filter(({ isTable, text }) => isTable && /^(export )?(async )?function\b/m.test(text))
  const sizes = Map.groupBy(
    own.filter(({ isTable }) => !isTable),
    ({ adapter }) => adapter,
  )
  const large = [...sizes].flatMap(([adapter, parts]) => {
    const lines = parts.reduce((sum, { text }) => sum + linesIn(text), 0)
    return lines > MAX_LINES
      ? [`src/carriers/adapters/${adapter} has ${lines} lines of its own, over ${MAX_LINES}.`]
      : []
  })
  return [
    ...clever.map(
      ({ path }) => `${path}: this file may only hold tables; move the function to another file.`,
    ),
    ...large,
  ]
}

/** Lines of code, without imports, comments and blanks. */
export function linesIn(text: string): number {
  return text
    .replaceAll(/^import\b[^'"]*['"][^'"]+['"]$/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*(\/\/|\/?\*)/.test(line)).length
}

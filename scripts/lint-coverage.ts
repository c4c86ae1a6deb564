/** Returns a file's text, or null when there is no file. */
export type ReadFile = (path: string) => string | null

/** Mistakes in the table of the interface and its tests, one sentence each: a row must name tests that exist. */
export function lintCoverage(table: string, read: ReadFile): string[] {
  const files = new Map<string, string | null>()
  const textOf = (path: string) => {
    if (!files.has(path)) files.set(path, read(path))
    return files.get(path) ?? null
  }
  return table.split('\n').flatMap((line, index) => {
    const cells = line.startsWith('|') ? line.split('|').slice(1, -1) : []
    const shownBy = cells.at(-1)?.trim() ?? ''
    if (cells.length === 0 || /^-+$/.test(shownBy) || shownBy === HEADING) return []
    return complaintsOf(shownBy, textOf).map((complaint) => `line ${index + 1}: ${complaint}`)
  })
}

const HEADING = 'Shown by'
const OPEN = /^not yet\b/
const REFERENCE = /\[[^\]]+\]\(\.\.\/([^)]+\.test\.ts)\) “([^”]+)”/g

function complaintsOf(shownBy: string, textOf: ReadFile): string[] {
  const references = [...shownBy.matchAll(REFERENCE)]
  const left = shownBy.replace(REFERENCE, '').replaceAll('<br>', '').trim()
  if (left !== '' && !OPEN.test(left))
    return [`"${left}" is neither [file](../path.test.ts) “test” nor not yet`]
  if (references.length === 0 && left === '') return ['names no test']
  return references.flatMap(([, path = '', name = '']) => {
    const text = textOf(path)
    if (text === null) return [`there is no ${path}`]
    return declares(text, name) ? [] : [`${path} has no test “${name}”`]
  })
}

/** Matches the name as written, so that a name in a template is found too. */
function declares(text: string, name: string): boolean {
  return ["'", '`', '"'].some((quote) => text.includes(`test(${quote}${name}${quote}`))
}

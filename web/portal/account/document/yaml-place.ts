/** Where the cursor is in a YAML text: the fields around it, and what is typed of a field or of its value. */
export type YamlPlace = { kind: 'field' | 'value'; path: string[]; typed: string }

const FIELD = /^(\s*(?:-\s+)*)([\w-]*)$/
const VALUE = /^(\s*(?:-\s+)*)([\w-]+):\s+([\w-]*)$/
const KEY = /^(\s*(?:-\s+)*)([\w-]+):/

/**
 * Finds the place by indentation, because a half-typed text is often invalid YAML. Null inside a
 * comment, a quoted text or a flow collection.
 */
export function placeAt(text: string, offset: number): YamlPlace | null {
  const lines = text.slice(0, offset).split('\n')
  const line = lines.pop() ?? ''
  const field = FIELD.exec(line)
  if (field) {
    const [, indent = '', typed = ''] = field
    return { kind: 'field', path: parentsOf(lines, indent.length), typed }
  }
  const value = VALUE.exec(line)
  if (!value) return null
  const [, indent = '', name = '', typed = ''] = value
  return { kind: 'value', path: [...parentsOf(lines, indent.length), name], typed }
}

/** The fields above that are indented less and less, from the outside in. */
function parentsOf(lines: readonly string[], column: number): string[] {
  const parents: string[] = []
  let within = column
  for (const line of lines.toReversed()) {
    const [, indent = '', name = ''] = KEY.exec(line) ?? []
    if (name === '' || indent.length >= within) continue
    parents.unshift(name)
    within = indent.length
  }
  return parents
}

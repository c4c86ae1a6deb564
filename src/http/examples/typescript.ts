import { VARIABLE } from './variables.ts'

const MAX_LINE_LENGTH = 80

/** An example's value as TypeScript; `$NAME` in it becomes the constant of that name. */
export function toSource(value: unknown, indent = ''): string {
  if (typeof value === 'string') return toText(value)
  if (value === null || typeof value !== 'object') return String(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((entry) => toSource(entry, inner))
    : Object.entries(value).map(([key, entry]) => `${toKey(key)}: ${toSource(entry, inner)}`)
  const [open, close, space] = isList ? ['[', ']', ''] : ['{', '}', ' ']
  if (parts.length === 0) return `${open}${close}`
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (!line.includes('\n') && indent.length + line.length <= MAX_LINE_LENGTH) return line
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

function toKey(key: string): string {
  return /^[a-z_]\w*$/i.test(key) ? key : toText(key)
}

function toText(text: string): string {
  const [whole, name] = /^\$([A-Z][A-Z_]*)$/.exec(text) ?? []
  if (whole) return name as string
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  if (text.match(VARIABLE)) return `\`${escaped.replaceAll('`', '\\`').replace(VARIABLE, '${$1}')}\``
  return `'${escaped.replaceAll("'", "\\'")}'`
}

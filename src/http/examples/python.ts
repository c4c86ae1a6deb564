import { VARIABLE } from './variables.ts'

const MAX_LINE_LENGTH = 80
const CONSTANTS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }

/** An example's value as Python; `$NAME` in it becomes the constant of that name. */
export function toPythonSource(value: unknown, indent = ''): string {
  if (typeof value === 'string') return toText(value)
  if (value === null || typeof value !== 'object') return CONSTANTS[String(value)] ?? String(value)
  const inner = `${indent}    `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((entry) => toPythonSource(entry, inner))
    : Object.entries(value).map(([key, entry]) => `${toText(key)}: ${toPythonSource(entry, inner)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const line = `${open}${parts.join(', ')}${close}`
  if (!line.includes('\n') && indent.length + line.length <= MAX_LINE_LENGTH) return line
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

function toText(text: string): string {
  const [whole, name] = /^\$([A-Z][A-Z_]*)$/.exec(text) ?? []
  if (whole) return name as string
  const quoted = JSON.stringify(text)
  if (!text.match(VARIABLE)) return quoted
  return `f${quoted.replaceAll(/[{}]/g, '$&$&').replace(VARIABLE, '{$1}')}`
}

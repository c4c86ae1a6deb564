import type { Issue, IssueKind } from '../../errors.ts'
import type { Path } from '../document/schema-at.ts'

/** A mistake in an account document: its path, what is wrong, and how to fix it. */
export type AccountMistake = {
  path: Path
  kind: IssueKind
  wrong: string
  remedy: string
  /** The number that was read there: a file may write it otherwise, such as 0800 or 8.90. */
  read?: number
}

/** Mistakes of a long document: undefined between two parts, where other work may run. */
export type MistakesInSteps = Iterable<AccountMistake | undefined>

/** The mistake with its number as the file has it: `0800`, where 800 was read. */
export function asWritten(mistake: AccountMistake, written: string): AccountMistake {
  const { read, wrong, remedy } = mistake
  if (read === undefined || Number(written) !== read) return mistake
  return {
    ...mistake,
    wrong: wrong.endsWith(` ${read}`) ? `${wrong.slice(0, -String(read).length)}${written}` : wrong,
    remedy: remedy.replace(/^write it in quotes: ".*"$/, `write it in quotes: "${written}"`),
  }
}

/** The same as an API issue: the remedy is the second sentence of the message. */
export function toIssue({ path, kind, wrong, remedy }: AccountMistake): Issue {
  return { field: pathText(path), issue: kind, message: `${sentence(wrong)} ${sentence(remedy)}`.trim() }
}

/** `stores[2].hours.sun` */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? step : `${text}.${step}`
  }, '')
}

/** The value at a path, or undefined. */
export function valueAt(document: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, step)) return undefined
    return (value as Record<string | number, unknown>)[step]
  }, document)
}

function sentence(words: string): string {
  const text = words.charAt(0).toUpperCase() + words.slice(1)
  return text === '' || /[.?!]$/.test(text) ? text : `${text}.`
}

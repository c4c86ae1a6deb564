import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { LineCounter, parseDocument, type YAMLError } from 'yaml'
import { type AccountMistake, asWritten } from '../domain/account/validation/mistake.ts'
import { positionOf } from './source-position.ts'

export type LocatedMistake = AccountMistake & {
  line: number
  column: number
  /** How many other paths have the same mistake through an alias of the same lines. */
  others: number
}

export type AccountFile = {
  name: string
  document: unknown
  /** False if the syntax is so broken that the document cannot be checked. */
  readable: boolean
  /** Syntax mistakes: with any, do not use the document. */
  mistakes: LocatedMistake[]
  /** Finds the positions of the document's mistakes in the file, in the order of the file. */
  locate(mistakes: readonly AccountMistake[]): LocatedMistake[]
}

/** Reads YAML, or JSON, which is YAML too. `-` reads standard input. Throws when there is no such file. */
export async function readDocument(file: string): Promise<AccountFile> {
  const name = file === '-' ? 'stdin' : file
  const source = file === '-' ? await text(process.stdin) : await readText(file)
  // Positions of each value cost seconds in a file of this size, and chains this large generate JSON by
  // program.
  const fast = source.length > LARGE_FILE ? parseJson(source) : undefined
  if (fast !== undefined)
    return {
      name,
      document: fast,
      readable: true,
      mistakes: [],
      locate: (mistakes) => located(source, mistakes),
    }

  const lines = new LineCounter()
  const parsed = parseDocument(source, { merge: true, prettyErrors: false, lineCounter: lines })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const mistakes = parsed.errors.map((error) => ({ ...syntaxMistake(error), ...at(error.pos[0]), others: 0 }))
  const unreadable = { name, document: null, readable: false, locate: () => [] }
  if (parsed.errors.some(({ code }) => code !== 'DUPLICATE_KEY')) return { ...unreadable, mistakes }
  try {
    // The file is the operator's own, so it may use aliases as often as there are stores.
    const document: unknown = parsed.toJS({ maxAliasCount: -1 })
    return {
      name,
      document,
      readable: true,
      mistakes,
      locate: (found) =>
        merged(
          found.map((one) => {
            const offset = positionOf(parsed, one)
            return { ...asWritten(one, numberAt(source, offset)), ...at(offset), others: 0 }
          }),
        ),
    }
  } catch (error) {
    const wrong = (error as Error).message
    return { ...unreadable, mistakes: [{ ...UNRESOLVED, wrong, ...at(0) }] }
  }
}

const LARGE_FILE = 5_000_000

const UNRESOLVED = {
  path: [],
  kind: 'invalid_value',
  remedy: 'define the anchor before it is used',
  others: 0,
} as const

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Error(`There is no file ${file}.`)
    throw error
  }
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}

/** Parses a large file again with positions, for its few mistakes. */
function located(source: string, mistakes: readonly AccountMistake[]): LocatedMistake[] {
  if (mistakes.length === 0) return []
  const lines = new LineCounter()
  const parsed = parseDocument(source, { lineCounter: lines })
  return merged(
    mistakes.map((one) => {
      const offset = positionOf(parsed, one)
      const { line, col } = lines.linePos(offset)
      return { ...asWritten(one, numberAt(source, offset)), line, column: col, others: 0 }
    }),
  )
}

function numberAt(source: string, offset: number): string {
  return /^[-+.\w]*/.exec(source.slice(offset, offset + 40))?.[0] ?? ''
}

/** Reports a mistake once when several aliases use the same lines. */
function merged(mistakes: readonly LocatedMistake[]): LocatedMistake[] {
  const first = new Map<string, LocatedMistake>()
  for (const mistake of mistakes) {
    const key = JSON.stringify([mistake.line, mistake.column, mistake.wrong, mistake.path.at(-1)])
    const known = first.get(key)
    if (known) known.others++
    else first.set(key, { ...mistake })
  }
  return [...first.values()].sort((a, b) => a.line - b.line || a.column - b.column)
}

function syntaxMistake({ code, message }: YAMLError): AccountMistake {
  return {
    path: [],
    kind: 'invalid_value',
    wrong: message,
    remedy: REMEDIES[code] ?? 'look for a missing quote, colon or bracket',
  }
}

const REMEDIES: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  DUPLICATE_KEY: 'keep one of the two',
  TAB_AS_INDENT: 'indent with blanks',
  BAD_INDENT: 'align it with its neighbours',
  MISSING_CHAR: 'add what is missing',
  BLOCK_AS_IMPLICIT_KEY: 'put text with a colon in quotes',
}

import { AccountDocument } from '../document/document.ts'
import { carrierMistakes } from './carrier-mistakes.ts'
import { hoursMistakes } from './hours-mistakes.ts'
import type { AccountMistake } from './mistake.ts'
import { placeMistakes } from './place-mistakes.ts'
import { referenceMistakes } from './reference-mistakes.ts'
import { shapeMistakes } from './shape-mistakes.ts'

/**
 * Every mistake of a document at once, in the document's order, each with its remedy. An empty list means
 * that the document compiles. With `adapters`, each carrier must name one of them.
 */
export function validateAccount(
  document: unknown,
  { adapters = null }: { adapters?: readonly string[] | null } = {},
): AccountMistake[] {
  return readAccount(document, { adapters }).mistakes
}

/** The document with its defaults filled in, or its mistakes. */
export function readAccount(
  document: unknown,
  { adapters = null }: { adapters?: readonly string[] | null } = {},
): { document: AccountDocument; mistakes: [] } | { document: null; mistakes: AccountMistake[] } {
  const read = AccountDocument.safeParse(document)
  const mistakes = [
    ...shapeMistakes(AccountDocument, document, read.error?.issues ?? []),
    ...referenceMistakes(document, adapters),
    ...carrierMistakes(document),
    ...placeMistakes(document),
    ...hoursMistakes(document),
  ]
  if (read.success && mistakes.length === 0) return { document: read.data, mistakes: [] }
  return { document: null, mistakes }
}

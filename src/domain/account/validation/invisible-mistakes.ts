import { invisibleIn, refusalOfInvisible } from '../../text/text-class.ts'
import type { Path } from '../document/schema-at.ts'
import type { AccountMistake } from './mistake.ts'

/** Phone numbers are read without invisible characters; a credential's value is never repeated or judged. */
const SKIPPED = new Set(['phone', 'credentials'])

/** Every text of a document, of any shape, that has an invisible character: nobody could see why it is wrong. */
export function* invisibleMistakes(value: unknown, path: Path = []): Generator<AccountMistake> {
  if (typeof value === 'string') {
    const invisible = invisibleIn(value, 'line')
    if (!invisible) return
    const [wrong = '', remedy = ''] = refusalOfInvisible(invisible).split(/(?<=\.) /)
    yield { path, kind: 'invalid_value', wrong: wrong.replace(/\.$/, ''), remedy }
  } else if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) yield* invisibleMistakes(one, [...path, index])
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value))
      if (!SKIPPED.has(name)) yield* invisibleMistakes(one, [...path, name])
  }
}

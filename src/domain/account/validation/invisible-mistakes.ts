import { invisibleIn, refusalOfInvisible } from '../../text/text-class.ts'
import { countValues, MAX_VALUES_PER_STEP } from '../document/parse-in-steps.ts'
import type { Path } from '../document/schema-at.ts'
import type { AccountMistake, MistakesInSteps } from './mistake.ts'

/** Phone numbers are read without invisible characters; a credential's value is never repeated or judged. */
const SKIPPED = new Set(['phone', 'credentials', 'client_secret'])

/** Every text of a document, of any shape, that has an invisible character, which its author cannot see. */
export function* invisibleMistakes(value: unknown, path: Path = []): MistakesInSteps {
  yield
  if (countValues(value, MAX_VALUES_PER_STEP) >= MAX_VALUES_PER_STEP) {
    for (const [step, member] of listMembers(value)) yield* invisibleMistakes(member, [...path, step])
  } else if (hasInvisible(value)) yield* mistakesIn(value, path)
}

/** 80,000 rates may have no such text, so no path is built for them in advance. */
function hasInvisible(value: unknown): boolean {
  if (typeof value === 'string') return invisibleIn(value, 'line') !== null
  if (typeof value !== 'object' || value === null) return false
  for (const name in value)
    if (!SKIPPED.has(name) && hasInvisible((value as Record<string, unknown>)[name])) return true
  return false
}

function* mistakesIn(value: unknown, path: Path): Generator<AccountMistake> {
  if (typeof value === 'string') {
    const invisible = invisibleIn(value, 'line')
    if (!invisible) return
    const [wrong = '', remedy = ''] = refusalOfInvisible(invisible).split(/(?<=\.) /)
    yield { path, kind: 'invalid_value', wrong: wrong.replace(/\.$/, ''), remedy }
  } else for (const [step, member] of listMembers(value)) yield* mistakesIn(member, [...path, step])
}

function listMembers(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).filter(([name]) => !SKIPPED.has(name))
}

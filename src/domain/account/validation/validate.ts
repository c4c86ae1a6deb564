import { WEEKDAYS } from '../../values.ts'
import { DAY_NAMES } from '../day-names.ts'
import { AccountDocument } from '../document/document.ts'
import { parseInSteps, type Steps } from '../document/parse-in-steps.ts'
import { rangeMinutes } from '../document/primitives.ts'
import { Hours } from '../hours.ts'
import { toHoursByDay } from '../hours-by-day.ts'
import { invisibleMistakes } from './invisible-mistakes.ts'
import { entries, field, numberField, textField } from './loose.ts'
import { messageTextMistakes } from './message-text-mistakes.ts'
import { type AccountMistake, type MistakesInSteps, pathText } from './mistake.ts'
import { openingMistakes } from './opening-mistakes.ts'
import { placeMistakes } from './place-mistakes.ts'
import { rateCardMistakesInSteps } from './rate-card-mistakes.ts'
import { referenceMistakes } from './reference-mistakes.ts'
import { reservedIdMistakes } from './reserved-ids.ts'
import { type AdapterSchemas, adapterSettingsMistakes } from './settings-mistakes.ts'
import { shapeMistakesInSteps } from './shape-mistakes.ts'

/**
 * Every mistake of a document at once, in the document's order, each with its remedy. An empty list means
 * that the document compiles. With `adapters`, each carrier must name one of them, and its settings must fit.
 */
export function validateAccount(
  document: unknown,
  { adapters = null }: { adapters?: AdapterSchemas | null } = {},
): AccountMistake[] {
  return readAccount(document, { adapters }).mistakes
}

type ReadAccount =
  | { document: AccountDocument; mistakes: [] }
  | { document: null; mistakes: AccountMistake[] }

/** The document with its defaults filled in, or its mistakes. */
export function readAccount(
  document: unknown,
  { adapters = null }: { adapters?: AdapterSchemas | null } = {},
): ReadAccount {
  const steps = readAccountInSteps(document, { adapters })
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** The same in steps of about a millisecond, so that its caller can let other work run: 500,000 values take 300 ms. */
export function* readAccountInSteps(
  document: unknown,
  { adapters = null }: { adapters?: AdapterSchemas | null } = {},
): Steps<ReadAccount> {
  const read = yield* parseInSteps(AccountDocument, document)
  const invisible = yield* gathered(invisibleMistakes(document))
  const unseen = new Set(invisible.map(({ path }) => pathText(path)))
  const ofShape = yield* gathered(shapeMistakesInSteps(AccountDocument, document, read.issues))
  const misshapen = new Set(ofShape.map(({ path }) => pathText(path)))
  const ofSettings = yield* gathered(adapterSettingsMistakes(document, adapters))
  const visible = [
    ...ofShape,
    // A value that is not JSON is reported once.
    ...ofSettings.filter(({ path }) => !misshapen.has(pathText(path))),
  ]
  const checks = [
    () => reservedIdMistakes(document),
    () => referenceMistakes(document, adapters && [...adapters.keys()]),
    () => carrierMistakes(document),
    () => placeMistakes(document),
    () => hoursMistakes(document),
    () => openingMistakes(document),
    () => messageTextMistakes(document),
  ]
  for (const check of checks) yield* gathered(check(), visible)
  const mistakes = [...visible.filter(({ path }) => !unseen.has(pathText(path))), ...invisible]
  if (read.success && mistakes.length === 0) return { document: read.data, mistakes: [] }
  return { document: null, mistakes }
}

/** Collects the mistakes, and yields to the caller after each part. */
function* gathered(found: MistakesInSteps, into: AccountMistake[] = []): Steps<AccountMistake[]> {
  for (const one of found) {
    if (one) into.push(one)
    else yield
  }
  yield
  return into
}

/** Checks a carrier's fields against each other. Reads documents of any shape. */
function* carrierMistakes(document: unknown): MistakesInSteps {
  const mode = textField(document, 'mode')
  for (const carrier of entries(document, 'carriers')) {
    if (mode === 'sandbox' && textField(carrier.value, 'environment') === 'production') {
      yield {
        path: [...carrier.path, 'environment'],
        kind: 'conflict',
        wrong: 'a sandbox account cannot use the production environment',
        remedy: 'write "sandbox" here, or set the account’s `mode` to "live"',
      }
    }
    for (const { value, path } of entries(carrier.value, 'services', carrier.path)) {
      const card = field(value, 'rate_card')
      yield
      if (card !== undefined) yield* rateCardMistakesInSteps(card, [...path, 'rate_card'])
      if (card !== undefined && field(value, 'price') !== undefined) {
        yield {
          path: [...path, 'rate_card'],
          kind: 'conflict',
          wrong: 'this service has both a price and a rate card',
          remedy: 'keep the price or the rate card, and remove the other',
        }
      }
      if (field(carrier.value, 'live_prices') === true || card !== undefined) continue
      if (typeof value !== 'object' || value === null || field(value, 'price') !== undefined) continue
      yield {
        path: [...path, 'price'],
        kind: 'required',
        wrong: 'this service has no price',
        remedy:
          'add a price or a rate card, or set the carrier’s `live_prices` to true if the carrier’s API quotes prices',
      }
    }
  }
}

/** Checks the trading hours and the pickup hours of stores against each other. Reads documents of any shape. */
function* hoursMistakes(document: unknown): MistakesInSteps {
  for (const { value: store, path } of entries(document, 'stores')) {
    yield
    const minutes = numberField(store, 'pickup_ends_before_closing_minutes')
    if (minutes === undefined) continue
    const at = [...path, 'pickup_ends_before_closing_minutes']
    if (field(store, 'pickup_hours') !== undefined) {
      yield {
        path: at,
        kind: 'conflict',
        wrong: '`pickup_hours` is also set',
        remedy: 'keep this field or `pickup_hours`, and remove the other',
      }
    }
    const hours = Hours.safeParse(field(store, 'hours'))
    if (!hours.success) continue
    const week = toHoursByDay(hours.data)
    const short = WEEKDAYS.find((day) => week[day].length > 0 && lastLength(week[day]) <= minutes)
    if (short) {
      yield {
        path: at,
        kind: 'out_of_range',
        wrong: `leaves no time for pickups on ${DAY_NAMES[short]}s`,
        remedy: 'write fewer minutes, or use `pickup_hours` instead',
      }
    }
  }
}

function lastLength(ranges: readonly string[]): number {
  const { open, close } = rangeMinutes(ranges.at(-1)!)
  return close - open
}

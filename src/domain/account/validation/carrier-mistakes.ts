import { entries, field, textField } from './loose.ts'
import type { AccountMistake } from './mistake.ts'
import { rateCardMistakes } from './rate-card-mistakes.ts'

/** Checks a carrier's fields against each other. Reads documents of any shape. */
export function* carrierMistakes(document: unknown): Generator<AccountMistake> {
  const mode = textField(document, 'mode')
  for (const carrier of entries(document, 'carriers')) {
    if (mode === 'sandbox' && textField(carrier.value, 'environment') === 'production') {
      yield {
        path: [...carrier.path, 'environment'],
        kind: 'conflict',
        wrong: 'a sandbox account books nothing for real',
        remedy: 'say "sandbox" here, or mode: live for the account',
      }
    }
    for (const { value, path } of entries(carrier.value, 'services', carrier.path)) {
      const card = field(value, 'rate_card')
      if (card !== undefined) yield* rateCardMistakes(card, [...path, 'rate_card'])
      if (card !== undefined && field(value, 'price') !== undefined) {
        yield {
          path: [...path, 'rate_card'],
          kind: 'conflict',
          wrong: 'it has a price too',
          remedy: 'keep one of them',
        }
      }
      if (field(carrier.value, 'live_prices') === true || card !== undefined) continue
      if (typeof value !== 'object' || value === null || field(value, 'price') !== undefined) continue
      yield {
        path: [...path, 'price'],
        kind: 'required',
        wrong: 'it has no price',
        remedy: 'give its rate card, or live_prices: true for a carrier that tells its own prices',
      }
    }
  }
}

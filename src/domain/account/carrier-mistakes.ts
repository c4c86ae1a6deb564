import { entries, field, textField } from './loose.ts'
import type { AccountMistake } from './mistake.ts'

/** What a carrier's fields mean together. Reads documents of any shape. */
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
    if (field(carrier.value, 'live_prices') === true) continue
    for (const { value, path } of entries(carrier.value, 'services', carrier.path)) {
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

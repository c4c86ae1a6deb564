import type { AccountMistake } from '../../domain/account/validation/mistake.ts'
import { findExcess } from '../../domain/text/json-bounds.ts'

/**
 * What every way to apply a document accepts: four rate cards of 20,000 rates, which count as 100,000 values and have
 * 1.4 MB each. A PUT counts in the same way, so it accepts every document that GET returns.
 */
export const MAX_DOCUMENT = { bytes: 6 * 1024 * 1024, values: 500_000 }

/** A document that is too large has this one mistake. */
export function sizeMistakes(document: unknown): AccountMistake[] {
  return sizeMistakesOf(toJson(document))
}

/** The same from its JSON. */
export function sizeMistakesOf(json: Buffer | null): AccountMistake[] {
  return [...mistakesOfSize(json)]
}

function* mistakesOfSize(json: Buffer | null): Generator<AccountMistake> {
  if (json === null) {
    yield {
      path: [],
      kind: 'invalid_value',
      wrong: 'a part of the document contains itself',
      remedy: 'replace the YAML alias with its own values',
    }
    return
  }
  const isTooLong = json.length > MAX_DOCUMENT.bytes
  if (!isTooLong && findExcess(json, MAX_DOCUMENT) !== 'values') return
  yield {
    path: [],
    kind: 'too_long',
    wrong: isTooLong
      ? `the document has ${(json.length / 1024 / 1024).toFixed(1)} MiB, and the limit is ${MAX_DOCUMENT.bytes / 1024 / 1024} MiB`
      : `the document has over ${MAX_DOCUMENT.values.toLocaleString('en-AU')} values`,
    remedy: 'shorten its rate cards, or split it into two accounts',
  }
}

/** Null for an alias of YAML that leads back to itself. */
export function toJson(document: unknown): Buffer | null {
  try {
    return Buffer.from(JSON.stringify(document) ?? '')
  } catch {
    return null
  }
}

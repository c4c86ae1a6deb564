import type { AccountMistake } from '../../domain/account/validation/mistake.ts'

/**
 * What every way to apply a document accepts: four rate cards of 20,000 rates, which count as 100,000 values and have
 * 1.4 MB each. A PUT counts in the same way, so it accepts every document that GET returns.
 */
export const MAX_DOCUMENT = { bytes: 6 * 1024 * 1024, values: 500_000 }

/** A document as JSON, and its values as `findExcess` counts them. */
export type Written = { json: Buffer; values: number }

/** A document that is too large has this one mistake. */
export function listSizeMistakes(written: Written | null): AccountMistake[] {
  if (written === null) {
    return [
      {
        path: [],
        kind: 'invalid_value',
        wrong: 'a part of the document contains itself',
        remedy: 'replace the YAML alias with its own values',
      },
    ]
  }
  const { json, values } = written
  const isTooLong = json.length > MAX_DOCUMENT.bytes
  if (!isTooLong && values <= MAX_DOCUMENT.values) return []
  return [
    {
      path: [],
      kind: 'too_long',
      wrong: isTooLong
        ? `the document is ${(json.length / 1024 / 1024).toFixed(1)} MiB, and the limit is ${MAX_DOCUMENT.bytes / 1024 / 1024} MiB`
        : `the document has over ${MAX_DOCUMENT.values.toLocaleString('en-AU')} values`,
      remedy: 'shorten its rate cards, or split it into two accounts',
    },
  ]
}

/**
 * The same text as `JSON.stringify`, a step for each store or carrier: the largest document takes 25 ms at once. Null for
 * an alias of YAML that leads back to itself.
 */
export function* toJsonInSteps(document: unknown): Generator<void, Written | null> {
  try {
    if (!isPlain(document)) return written(JSON.stringify(document) ?? '', valuesIn(document))
    const parts: string[] = []
    let values = Object.keys(document).length === 0 ? 1 : 0
    for (const [name, member] of Object.entries(document)) {
      if (member === undefined) continue
      values += 1
      if (Array.isArray(member)) {
        const entries: string[] = []
        for (const entry of member) {
          entries.push(JSON.stringify(entry) ?? 'null')
          values += valuesIn(entry)
          yield
        }
        values += Math.max(1, member.length)
        parts.push(`${JSON.stringify(name)}:[${entries.join()}]`)
      } else {
        parts.push(`${JSON.stringify(name)}:${JSON.stringify(member)}`)
        values += valuesIn(member)
      }
      yield
    }
    const text = `{${parts.join()}}`
    yield
    return written(text, values)
  } catch {
    return null
  }
}

function written(text: string, values: number): Written {
  // The document itself is a value too.
  return { json: Buffer.from(text), values: values + 1 }
}

/** The values within a value; an empty list or object counts as if it held one. JSON leaves out undefined members. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let [members, inner] = [0, 0]
  for (const member of Object.values(value)) {
    if (member === undefined && !Array.isArray(value)) continue
    members++
    inner += valuesIn(member)
  }
  return Math.max(1, members) + inner
}

/** Whether its members are all that JSON shows of it. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value)
}

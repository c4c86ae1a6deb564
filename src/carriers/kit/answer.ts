import { z } from 'zod'
import type { Outcome } from '../port/carrier.ts'
import type { CarrierResponse } from '../port/send.ts'

export type Answer = { status: number; body: unknown }

/**
 * Classifies a response before the carrier's own error codes count: a request that was not sent is a no for
 * now; no answer, a 5xx or a redirect leaves the outcome unknown; 429 means that the carrier did nothing.
 * `read` reads the rest.
 */
export function readAnswer<T>(response: CarrierResponse, read: (answer: Answer) => Outcome<T>): Outcome<T> {
  if (response.kind === 'not_sent') return { kind: 'no', retry: 'later', message: response.message }
  if (response.kind === 'no_answer') return { kind: 'unknown', message: response.message }
  const { status } = response
  if (status === 429) return { kind: 'no', retry: 'later', message: 'too many requests' }
  const decided = (status >= 200 && status < 300) || (status >= 400 && status < 500 && status !== 408)
  return decided
    ? read(response)
    : { kind: 'unknown', message: `status ${status}: ${excerpt(response.body)}` }
}

/** A yes whose body the schema reads; a body that doesn't fit leaves the outcome unknown. */
export function understood<S extends z.ZodType, T>(
  schema: S,
  body: unknown,
  value: (parsed: z.output<S>) => T,
): Outcome<T> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return { kind: 'yes', value: value(parsed.data) }
  return { kind: 'unknown', message: `answer not understood: ${excerpt(body)}` }
}

/** The status of an answer; null if there was no answer. */
export function statusOf(response: CarrierResponse): number | null {
  return response.kind === 'answered' ? response.status : null
}

/** For a request that only checks our credentials: any yes will do. */
export function signedIn(outcome: Outcome<unknown>): Outcome<string> {
  return outcome.kind === 'yes' ? { kind: 'yes', value: 'the key is valid' } : outcome
}

/** Dollars as carriers write them, `"8.90"` or 8.9, to cents. */
export const dollarsAsCents = z
  .union([z.number(), z.string().regex(/^\d+(\.\d+)?$/)])
  .transform((dollars) => Math.round(Number(dollars) * 100))
  .pipe(z.int().nonnegative())

/** An RFC 3339 instant between 2000 and 2200, to epoch milliseconds. */
export const instantMs = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .pipe(z.number().min(Date.UTC(2000)).max(Date.UTC(2200)))

/**
 * An id or a code: 1 to 100 characters without control characters or lone surrogates, so any database accepts
 * it.
 */
export const carrierCode = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u)

/** A code's entry in one of our tables; also undefined for words like `constructor`. */
export function entryOf<T>(table: Readonly<Record<string, T>>, code: string): T | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined
}

/** A list whose entries are parsed one by one: an invalid entry is counted and the others are kept. */
export function eachOf<S extends z.ZodType>(schema: S) {
  return z.array(z.unknown()).transform((all) => {
    const good = all.flatMap((one) => {
      const parsed = schema.safeParse(one)
      return parsed.success ? [parsed.data] : []
    })
    return { good, unreadable: all.length - good.length }
  })
}

/** A webhook's body as JSON; null if it isn't JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}

/** The first 300 characters of a carrier's message, safe to store and show. */
export function excerpt(body: unknown): string {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? 'nothing')
  return text
    .slice(0, 300)
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
}

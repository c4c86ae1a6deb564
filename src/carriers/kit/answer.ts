import { z } from 'zod'
import type { Outcome } from '../port/carrier.ts'
import type { CarrierResponse } from '../port/send.ts'

export type Answer = { status: number; body: unknown }

/**
 * What a response means before a carrier's own words count: nothing sent is a no for now; no answer, a
 * 5xx or a redirect may have happened; too many requests means nothing was done. `read` reads the rest.
 */
export function readAnswer<T>(response: CarrierResponse, read: (answer: Answer) => Outcome<T>): Outcome<T> {
  if (response.kind === 'not_sent') return { kind: 'no', cure: 'later', said: response.said }
  if (response.kind === 'no_answer') return { kind: 'unknown', said: response.said }
  const { status } = response
  if (status === 429) return { kind: 'no', cure: 'later', said: 'too many requests' }
  const decided = (status >= 200 && status < 300) || (status >= 400 && status < 500 && status !== 408)
  return decided ? read(response) : { kind: 'unknown', said: `status ${status}: ${excerpt(response.body)}` }
}

/** A yes whose body is read by a schema; a body that does not fit leaves the outcome unknown. */
export function understood<S extends z.ZodType, T>(
  schema: S,
  body: unknown,
  value: (parsed: z.output<S>) => T,
): Outcome<T> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return { kind: 'yes', value: value(parsed.data) }
  return { kind: 'unknown', said: `answer not understood: ${excerpt(body)}` }
}

/** The status of an answer; null where there is none. */
export function statusOf(response: CarrierResponse): number | null {
  return response.kind === 'answered' ? response.status : null
}

/** An answer to a question that only needed our sign-in, whatever it says. */
export function signedIn(outcome: Outcome<unknown>): Outcome<string> {
  return outcome.kind === 'yes' ? { kind: 'yes', value: 'it knows our key' } : outcome
}

/** Dollars as carriers write them, `"8.90"` or 8.9, to cents. */
export const dollarsAsCents = z
  .union([z.number(), z.string().regex(/^\d+(\.\d+)?$/)])
  .transform((dollars) => Math.round(Number(dollars) * 100))
  .pipe(z.int().nonnegative())

/** An RFC 3339 instant of this age, to epoch milliseconds. */
export const instantMs = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .pipe(z.number().min(Date.UTC(2000)).max(Date.UTC(2200)))

/** An id or a code: one line that any database takes. */
export const carrierWord = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u)

/** A code's entry in a table of ours; undefined too for words like `constructor`. */
export function entryOf<T>(table: Readonly<Record<string, T>>, code: string): T | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined
}

/** A list of which each thing is read by itself: an odd one is counted, and loses no other. */
export function eachOf<S extends z.ZodType>(schema: S) {
  return z.array(z.unknown()).transform((all) => {
    const good = all.flatMap((one) => {
      const parsed = schema.safeParse(one)
      return parsed.success ? [parsed.data] : []
    })
    return { good, unreadable: all.length - good.length }
  })
}

/** What a webhook says in JSON; null for what is none. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}

/** The start of what a carrier said, in a form that can be kept and shown. */
export function excerpt(body: unknown): string {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? 'nothing')
  return text
    .slice(0, 300)
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
}

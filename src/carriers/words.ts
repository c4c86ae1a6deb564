import type { z } from 'zod'
import { type Answer, entryOf, excerpt, readAnswer, understood } from './answer.ts'
import type { Cure, Outcome } from './carrier.ts'
import { yes } from './outcome.ts'
import type { CarrierResponse } from './send.ts'

/** One thing that a carrier finds wrong. */
export type Refused = { code: string; field: string | null; said: string }

/** How a carrier says no. */
export type Words = {
  /** The errors in a body, one at least. What this does not fit was said by somebody on the way. */
  errors: z.ZodType<readonly Refused[]>
  /**
   * Whom a code leaves hope for; `unknown`: it may have been done all the same. Where codes are not published, by
   * the status. Any other is ours to mend.
   */
  leaves: Readonly<Record<string, Cure | 'unknown'>>
  /** Of a code that is said of many things: whom what is said with it leaves hope for; the first line that fits. */
  sayings?: Readonly<Record<string, readonly (readonly [RegExp, Cure])[]>>
  /** Codes that are said before anything is done, even with a 5xx. */
  undone?: readonly string[]
}

/** Of several errors the one that leaves least decides. */
const LEAST_FIRST = ['unknown', 'nobody', 'another_carrier', 'later'] as const

/** Reads a carrier's answers: its good ones by a schema, its refusals by its own words. */
export function wordsOf({ errors, leaves, sayings = {}, undone = [] }: Words) {
  function refusedBy(response: CarrierResponse): readonly Refused[] {
    if (response.kind !== 'answered' || response.status < 400) return []
    return errors.safeParse(response.body).data ?? []
  }

  const sayingOf = ({ code, said }: Refused) =>
    entryOf(sayings, code)?.find(([words]) => words.test(said))?.[1]

  const isRefused = (response: CarrierResponse, ...codes: readonly string[]) =>
    refusedBy(response).some(({ code }) => codes.includes(code))

  function refusal({ status, body }: Answer): Outcome<never> {
    const refused = refusedBy({ kind: 'answered', status, body })
    if (refused.length === 0) return { kind: 'unknown', said: `status ${status}: ${excerpt(body)}` }
    const said = excerpt(refused.map(({ code, said }) => [code, said].filter(Boolean).join(': ')).join(' '))
    const left = refused.map(
      (one) => sayingOf(one) ?? entryOf(leaves, one.code) ?? entryOf(leaves, `${status}`) ?? 'nobody',
    )
    const least = LEAST_FIRST.find((one) => left.includes(one)) ?? 'nobody'
    return least === 'unknown' ? { kind: 'unknown', said } : { kind: 'no', cure: least, said }
  }

  function read<S extends z.ZodType, T>(
    response: CarrierResponse,
    schema: S,
    value: (parsed: z.output<S>) => T,
  ): Outcome<T> {
    if (response.kind === 'answered' && isRefused(response, ...undone)) return refusal(response)
    return readAnswer(response, (answer) =>
      answer.status >= 400 ? refusal(answer) : understood(schema, answer.body, value),
    )
  }

  return {
    /** The errors of a refusal in the carrier's words; none: it refused nothing, or somebody on the way did. */
    refusedBy,
    isRefused,
    /** A good answer's value; a refusal is a no, or unknown where it decides nothing. */
    read,
    /** The same, and null where it is refused with this code. */
    readUnless<S extends z.ZodType, T>(
      code: string,
      response: CarrierResponse,
      schema: S,
      value: (parsed: z.output<S>) => T | null,
    ): Outcome<T | null> {
      return isRefused(response, code) ? yes(null) : read(response, schema, value)
    },
    /** The same of what may not be there: their own 404 is null. */
    readOrNone<S extends z.ZodType, T>(
      response: CarrierResponse,
      schema: S,
      value: (parsed: z.output<S>) => T | null,
    ): Outcome<T | null> {
      const none = response.kind === 'answered' && response.status === 404 && refusedBy(response).length > 0
      return none ? yes(null) : read(response, schema, value)
    },
  }
}

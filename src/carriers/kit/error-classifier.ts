import type { z } from 'zod'
import type { Cure, Outcome } from '../port/carrier.ts'
import { yes } from '../port/outcome.ts'
import type { CarrierResponse } from '../port/send.ts'
import { type Answer, entryOf, excerpt, readAnswer, understood } from './answer.ts'
import { findUnknownOutcome } from './unknown-outcome.ts'

/** One thing that a carrier finds wrong. `name`: what it calls the thing beside its code, such as a reason. */
export type Refused = { code: string; name?: string | undefined; field: string | null; said: string }

/** How a carrier says no. */
export type ErrorCatalogue = {
  /** The errors in a body, one at least. What this does not fit was said by somebody on the way. */
  errors: z.ZodType<readonly Refused[]>
  /**
   * Whom a name or a code leaves hope for; `unknown`: it may have been done all the same. Where codes are not
   * published, by the status. Of any other, words of a time-out or an internal failure leave the outcome unknown
   * (`unknown-outcome.ts`), and the rest is ours to mend.
   */
  leaves: Readonly<Record<string, Cure | 'unknown'>>
  /** Of a code that is said of many things: whom what is said with it leaves hope for; the first line that fits. */
  sayings?: Readonly<Record<string, readonly (readonly [RegExp, Cure])[]>>
  /** Codes that are said before anything is done, even with a 5xx. */
  undone?: readonly string[]
  /** It says no inside a 2xx as well. */
  refusesInside2xx?: true
}

/** Of several errors the one that leaves least decides. */
const LEAST_FIRST = ['unknown', 'nobody', 'another_carrier', 'later'] as const

/** Reads a carrier's answers: its good ones by a schema, its refusals by its own words. */
export function errorClassifier({
  errors,
  leaves,
  sayings = {},
  undone = [],
  refusesInside2xx,
}: ErrorCatalogue) {
  function refusedBy(response: CarrierResponse): readonly Refused[] {
    if (response.kind !== 'answered' || (response.status < 400 && !refusesInside2xx)) return []
    return errors.safeParse(response.body).data ?? []
  }

  const sayingOf = ({ code, said }: Refused) =>
    entryOf(sayings, code)?.find(([words]) => words.test(said))?.[1]

  /** By the table of the carrier's documented codes. */
  const documentedOf = ({ code, name }: Refused) =>
    (name === undefined ? undefined : entryOf(leaves, name)) ?? entryOf(leaves, code)

  /** By its documented code, or because it says that it timed out or failed inside. */
  const isUnknown = (one: Refused) => {
    const documented = documentedOf(one)
    if (documented !== undefined) return documented === 'unknown'
    return findUnknownOutcome([one.code, one.name, one.said]) !== null
  }

  const isRefused = (response: CarrierResponse, ...codes: readonly string[]) => {
    const refused = refusedBy(response)
    const isOneOf = ({ code, name }: Refused) => codes.includes(code) || codes.includes(name ?? code)
    return refused.some(isOneOf) && refused.every((one) => isOneOf(one) || !isUnknown(one))
  }

  function refusal({ status, body }: Answer): Outcome<never> {
    const refused = refusedBy({ kind: 'answered', status, body })
    if (refused.length === 0) return { kind: 'unknown', said: `status ${status}: ${excerpt(body)}` }
    const said = excerpt(refused.map(({ code, said }) => [code, said].filter(Boolean).join(': ')).join(' '))
    const left = refused.map((one) =>
      isUnknown(one)
        ? 'unknown'
        : (sayingOf(one) ?? documentedOf(one) ?? entryOf(leaves, `${status}`) ?? 'nobody'),
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
      answer.status >= 400 || refusedBy(response).length > 0
        ? refusal(answer)
        : understood(schema, answer.body, value),
    )
  }

  return {
    /** The errors of a refusal in the carrier's words; none: it refused nothing, or somebody on the way did. */
    refusedBy,
    /** Whether it says one of these codes or names, and nothing beside them that leaves the outcome unknown. */
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
      const refused = refusedBy(response)
      const is404 = response.kind === 'answered' && response.status === 404 && refused.length > 0
      return is404 && !refused.some(isUnknown) ? yes(null) : read(response, schema, value)
    },
  }
}

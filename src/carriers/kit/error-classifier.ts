import type { z } from 'zod'
import type { Outcome, RetryAdvice } from '../port/carrier.ts'
import { yes } from '../port/outcome.ts'
import type { CarrierResponse } from '../port/send.ts'
import { type Answer, entryOf, excerpt, readAnswer, understood } from './answer.ts'
import { findUnknownOutcome } from './unknown-outcome.ts'

/** One error in a carrier's refusal. `name`: what the carrier calls it beside its code, such as a reason. */
export type Refused = { code: string; name?: string | undefined; field: string | null; message: string }

/** A carrier's error catalogue: how it reports errors and what each one means. */
export type ErrorCatalogue = {
  /**
   * The errors in a body, at least one. A body that doesn't fit was written by a proxy or gateway, not by the
   * carrier.
   */
  errors: z.ZodType<readonly Refused[]>
  /**
   * What to do next, by error name or code; `unknown`: the carrier may have executed the request anyway. A code
   * that isn't here (or in `patterns`) is not documented. After a create it leaves the outcome unknown; after any
   * other request only if its message reports a time-out or internal failure (`unknown-outcome.ts`). A listed HTTP
   * status is the fallback for a refusal whose code isn't listed.
   */
  adviceByCode: Readonly<Record<string, RetryAdvice | 'unknown'>>
  /**
   * For a code that covers several cases: what to do next, by the message. The first pattern that matches
   * decides.
   */
  patterns?: Readonly<Record<string, readonly (readonly [RegExp, RetryAdvice])[]>>
  /** Codes that the carrier sends before it executes anything, even with a 5xx. */
  undone?: readonly string[]
  /** The carrier also reports refusals inside a 2xx. */
  refusesInside2xx?: true
}

/** Of several errors the most severe decides. */
const SEVEREST_FIRST = ['unknown', 'nobody', 'another_carrier', 'later'] as const

/**
 * Classifies a carrier's answers: good ones are read by a schema, refusals by the carrier's error catalogue.
 */
export function errorClassifier({
  errors,
  adviceByCode,
  patterns = {},
  undone = [],
  refusesInside2xx,
}: ErrorCatalogue) {
  function refusedBy(response: CarrierResponse): readonly Refused[] {
    if (response.kind !== 'answered' || (response.status < 400 && !refusesInside2xx)) return []
    return errors.safeParse(response.body).data ?? []
  }

  const adviceByMessage = ({ code, message }: Refused) =>
    entryOf(patterns, code)?.find(([pattern]) => pattern.test(message))?.[1]

  /** The outcome by the carrier's documented codes. */
  const documentedOf = ({ code, name }: Refused) =>
    (name === undefined ? undefined : entryOf(adviceByCode, name)) ?? entryOf(adviceByCode, code)

  /** By its documented code, or because its message reports a time-out or an internal failure. */
  const isUnknown = (one: Refused) => {
    const documented = documentedOf(one)
    if (documented !== undefined) return documented === 'unknown'
    return findUnknownOutcome([one.code, one.name, one.message]) !== null
  }

  /** The carrier documents the code, names a field of our request, or did not let us in. */
  const isDecided = (status: number, one: Refused) =>
    status === 401 ||
    one.field !== null ||
    documentedOf(one) !== undefined ||
    entryOf(patterns, one.code) !== undefined

  const isRefused = (response: CarrierResponse, ...codes: readonly string[]) => {
    const refused = refusedBy(response)
    const isOneOf = ({ code, name }: Refused) => codes.includes(code) || codes.includes(name ?? code)
    return refused.some(isOneOf) && refused.every((one) => isOneOf(one) || !isUnknown(one))
  }

  /** The most severe advice of the errors, or null if nothing in the body is the carrier's. */
  function refusalBy({ status, body }: Answer, adviceFor: (one: Refused) => RetryAdvice | 'unknown') {
    const refused = refusedBy({ kind: 'answered', status, body })
    if (refused.length === 0)
      return { refused, advice: 'unknown', message: `status ${status}: ${excerpt(body)}` } as const
    const message = excerpt(
      refused.map(({ code, message }) => [code, message].filter(Boolean).join(': ')).join(' '),
    )
    const all = refused.map(adviceFor)
    return {
      refused,
      advice: SEVEREST_FIRST.find((one) => all.includes(one)) ?? 'nobody',
      message,
    } as const
  }

  const meaningOf = (status: number, one: Refused) =>
    adviceByMessage(one) ?? documentedOf(one) ?? entryOf(adviceByCode, `${status}`) ?? 'nobody'

  function refusal(answer: Answer): Outcome<never> {
    const { advice, message } = refusalBy(answer, (one) =>
      isUnknown(one) ? 'unknown' : meaningOf(answer.status, one),
    )
    return advice === 'unknown' ? { kind: 'unknown', message } : { kind: 'no', retry: advice, message }
  }

  /**
   * The refusal of a create. Carriers report time-outs and failures of their own with a 4xx too, in any words, after
   * they have made the booking: only an error that the carrier documents, or that names a field, is final.
   */
  function refusalOfCreate(answer: Answer): Outcome<never> {
    const { refused, advice, message } = refusalBy(answer, (one) => meaningOf(answer.status, one))
    if (advice === 'unknown') return { kind: 'unknown', message }
    if (refused.every((one) => isDecided(answer.status, one))) return { kind: 'no', retry: advice, message }
    return { kind: 'unknown', message, ifRepeated: advice }
  }

  function read<S extends z.ZodType, T>(
    response: CarrierResponse,
    schema: S,
    value: (parsed: z.output<S>) => T,
    refusalOf: (answer: Answer) => Outcome<never> = refusal,
  ): Outcome<T> {
    if (response.kind === 'answered' && isRefused(response, ...undone)) return refusal(response)
    return readAnswer(response, (answer) =>
      answer.status >= 400 || refusedBy(response).length > 0
        ? refusalOf(answer)
        : understood(schema, answer.body, value),
    )
  }

  return {
    /**
     * The errors of a refusal in the carrier's format; empty: the carrier refused nothing, or a proxy or
     * gateway did.
     */
    refusedBy,
    /**
     * Whether the refusal has one of these codes or names, and no other error that leaves the outcome
     * unknown.
     */
    isRefused,
    /** The value of a good answer; a refusal is a no, or unknown if it doesn't decide. */
    read,
    /** Like `read`, for the answer to a create: only a documented error, or one that names a field, is a no. */
    readCreate: <S extends z.ZodType, T>(
      response: CarrierResponse,
      schema: S,
      value: (parsed: z.output<S>) => T,
    ): Outcome<T> => read(response, schema, value, refusalOfCreate),
    /** Like `read`, but null if the carrier refuses with this code. */
    readUnless<S extends z.ZodType, T>(
      code: string,
      response: CarrierResponse,
      schema: S,
      value: (parsed: z.output<S>) => T | null,
    ): Outcome<T | null> {
      return isRefused(response, code) ? yes(null) : read(response, schema, value)
    },
    /** Like `read`, for something that may not exist: the carrier's own 404 is null. */
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

import { z } from 'zod'
import { type Answer, entryOf, excerpt, readAnswer } from '../answer.ts'
import type { Cure, Outcome } from '../carrier.ts'
import type { CarrierResponse } from '../send.ts'

/** The three shapes of an error: the API's own, the gateway's before it, the platform's behind it. */
const ApiError = z
  .object({
    code: z.string(),
    name: z.string().optional(),
    message: z.string().optional(),
    field: z.string().optional(),
  })
  .transform(({ code, name, message, field }) => ({
    code,
    field: field ?? null,
    said: message || name || code,
  }))
const GatewayError = z
  .object({ error_code: z.string(), error_name: z.string().optional(), message: z.string().optional() })
  .transform(({ error_code: code, error_name, message }) => ({
    code,
    field: null,
    said: message || error_name || code,
  }))
const PlatformError = z
  .object({
    error: z.string(),
    error_description: z.string().optional(),
    messages: z.array(z.string()).optional(),
  })
  .transform(({ error: code, error_description, messages = [] }) => ({
    code,
    field: null,
    said: messages.length > 0 ? messages.join(' ') : (error_description ?? code),
  }))
const OneError = z.union([ApiError, GatewayError, PlatformError])
const Errors = z.union([
  z.object({ errors: z.array(OneError).min(1) }).transform(({ errors }) => errors),
  OneError.transform((error) => [error]),
])

export type Refused = { code: string; field: string | null; said: string }

/** Whom a refusal leaves hope for, by its code; any other is ours to mend. */
const CURES: Readonly<Record<string, Cure>> = {
  API_001: 'later',
  API_002: 'later',
  unauthorized: 'later',
  '41001': 'later',
  '41002': 'later',
  '41003': 'later',
  '44017': 'later',
  '41007': 'another_carrier',
  '42001': 'another_carrier',
  '42002': 'another_carrier',
  '42006': 'another_carrier',
  '42007': 'another_carrier',
  '42008': 'another_carrier',
  '42009': 'another_carrier',
  '42010': 'another_carrier',
  '42011': 'another_carrier',
  '42012': 'another_carrier',
  '43003': 'another_carrier',
  '44003': 'another_carrier',
  '44043': 'another_carrier',
  '46000': 'another_carrier',
  '46001': 'another_carrier',
  '66004': 'another_carrier',
  '80002': 'another_carrier',
}

export const SHIPMENT_GONE = '44013'
export const IN_AN_ORDER = '44016'

/** The errors of a refusal in Australia Post's words; none: somebody on the way said it. */
export function refusalsOf(body: unknown): readonly Refused[] {
  return Errors.safeParse(body).data ?? []
}

/** An answer whose good part `read` reads; a refusal is a no with the cure of what only a change would mend. */
export function readReply<T>(response: CarrierResponse, read: (answer: Answer) => Outcome<T>): Outcome<T> {
  return readAnswer(response, (answer) => (answer.status < 400 ? read(answer) : noOf(answer)))
}

function noOf({ status, body }: Answer): Outcome<never> {
  const refused = refusalsOf(body)
  if (refused.length === 0) return { kind: 'unknown', said: `status ${status}: ${excerpt(body)}` }
  const cures = refused.map(({ code }) => entryOf(CURES, code) ?? 'nobody')
  const cure = (['nobody', 'another_carrier', 'later'] as const).find((one) => cures.includes(one))!
  return { kind: 'no', cure, said: saidOf(refused) }
}

export function saidOf(refused: readonly Refused[]): string {
  return excerpt(refused.map(({ code, said }) => `${code}: ${said}`).join(' '))
}

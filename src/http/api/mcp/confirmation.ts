import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { refuse } from '../../../domain/refuse.ts'
import type { Cost } from '../../../operations/assistants/spending-limit.ts'
import { toCallerKey } from '../../../operations/directory/caller.ts'
import { isSignedBy, sign } from '../../../operations/secrets/sign.ts'
import type { TenantRequest } from '../../contract/endpoint.ts'
import type { Arguments } from './read-endpoint.ts'

/**
 * What a person confirms: a tool with its arguments, the facts that must still be true when it is carried out, and what it
 * costs; null: nothing.
 */
export type Confirmed = { tool: string; args: Arguments; facts: readonly Fact[]; cost: Cost | null }
export type Fact = string | number | null

/** A confirmation expires by the wall clock, like every token. */
const LIFE_MS = 10 * 60_000

/** A model has to repeat the text, so Drover refuses a plan whose confirmation would be longer. */
export const MAX_CONFIRMATION = 4_000

type Place = Pick<TenantRequest, 'deps' | 'entry' | 'caller'>

/**
 * Signed token: `cfm_`, the plan, a full stop and its signature. It contains the plan itself, so Drover stores no plan,
 * and any process can carry it out. It is not encrypted: all of it came from the client.
 */
export function makeConfirmation(
  { deps, entry, caller }: Place,
  { tool, args, facts, cost }: Confirmed,
): { confirmation: string; expires_at: string } {
  const untilMs = Date.now() + LIFE_MS
  const payload: Payload = [VERSION, entry.account.id, toCallerKey(caller), tool, untilMs, facts, args, cost]
  const text = deflateRawSync(JSON.stringify(payload)).toString('base64url')
  const confirmation = `${PREFIX}${text}.${sign(deps.secretKey, 'mcp-confirmation', text)}`
  if (confirmation.length > MAX_CONFIRMATION) {
    const message = 'The plan is too large to confirm here. Use the API for this delivery.'
    refuse([{ field: 'parcels', issue: 'too_many', message }])
  }
  return { confirmation, expires_at: new Date(untilMs).toISOString() }
}

/** The plan in a confirmation. Refuses one that is not ours, is for another client or tool, or has expired. */
export function openConfirmation(
  { deps, entry, caller }: Place,
  tool: string,
  confirmation: string,
): Confirmed & { key: string } {
  const [, text = '', signature = ''] = CONFIRMATION.exec(confirmation) ?? []
  if (!isSignedBy(deps.secretKey, 'mcp-confirmation', text, signature)) return refuseWith(FORGED)
  const [version, accountId, clientId, planned, untilMs, facts, args, cost] = JSON.parse(
    inflateRawSync(Buffer.from(text, 'base64url')).toString(),
  ) as Payload
  const isOurs = version === VERSION && accountId === entry.account.id && clientId === toCallerKey(caller)
  if (!isOurs) return refuseWith(FORGED)
  if (planned !== tool) return refuseWith(`This confirmation is for ${planned}. Send it to that tool.`)
  if (Date.now() > untilMs)
    return refuseWith('The confirmation has expired; it lasts ten minutes. Plan again.')
  return { tool, args, facts, cost, key: `mcp-${signature}` }
}

const PREFIX = 'cfm_'
const VERSION = 2
const CONFIRMATION = /^cfm_([\w-]+)\.([\w-]{43})$/
const FORGED =
  'The confirmation is incomplete, or Drover did not issue it to this client. Send it exactly as the plan returned it, or plan again.'

type Payload = [
  version: number,
  accountId: string,
  clientId: string,
  tool: string,
  untilMs: number,
  facts: readonly Fact[],
  args: Arguments,
  cost: Cost | null,
]

function refuseWith(message: string): never {
  return refuse([{ field: 'confirmation', issue: 'invalid_value', message }])
}

import { createHmac, randomBytes } from 'node:crypto'
import type { SealedSecret } from '../../store/webhooks/webhook-endpoints.ts'
import { endpointPlace, type Sealer } from '../secrets/seal.ts'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

type Place = { accountId: string; endpointId: string }

/** A new signing secret: in plain text to show once, and encrypted to store. */
export function newWebhookSecret(sealer: Sealer, place: Place): { secret: string; sealed: SealedSecret } {
  const secret = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
  return { secret, sealed: sealer.seal(secret, endpointPlace(place)) }
}

/**
 * The headers of one attempt as in Standard Webhooks 1.0.0: signed with every valid secret, over the id, the wall-clock
 * second and the body. A secret whose encryption key was lost is skipped if another one is valid; throws if it is the
 * only one.
 */
export function webhookHeaders(
  sealer: Sealer,
  endpoint: Place & { secrets: readonly SealedSecret[] },
  message: { id: string; body: string; wallMs: number },
): Record<string, string> {
  const timestamp = String(Math.floor(message.wallMs / 1_000))
  const signed = `${message.id}.${timestamp}.${message.body}`
  const known = endpoint.secrets.filter(sealer.knows)
  const signatures = (known.length > 0 ? known : endpoint.secrets).map((sealed) => {
    const key = Buffer.from(sealer.open(sealed, endpointPlace(endpoint)).slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'user-agent': 'Drover-Webhooks/1',
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

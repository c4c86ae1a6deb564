import { createHmac } from 'node:crypto'

/**
 * An account's credentials at a sandbox carrier, and the secret of that carrier's webhooks. Both sides derive
 * them, so that a sandbox account needs no stored secrets and its webhooks still can't be forged.
 */
export function sandboxCredentials(secretKey: string, accountId: string, carrier: string) {
  const derive = (what: string) =>
    createHmac('sha256', secretKey).update(`sandbox:${what}:${carrier}:${accountId}`).digest('hex')
  return { api_key: derive('api_key'), webhook_secret: derive('webhook_secret') }
}

import { createHmac } from 'node:crypto'

/**
 * What an account signs in with at a sandbox carrier, and what that carrier signs its webhooks with. Both
 * sides derive them, so that a sandbox account needs no secrets and still nobody can forge its news.
 */
export function sandboxCredentials(secretKey: string, accountId: string, carrier: string) {
  const derive = (what: string) =>
    createHmac('sha256', secretKey).update(`sandbox:${what}:${carrier}:${accountId}`).digest('hex')
  return { api_key: derive('api_key'), webhook_secret: derive('webhook_secret') }
}

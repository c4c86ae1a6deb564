import { createHmac } from 'node:crypto'

// DoorDash refuses lifetimes over 30 minutes and advises 5.
const LIVES_S = 300
/** A token is replaced this long before it expires, so that it can't expire in transit. */
const RENEW_S = 60

export type SigningKey = { developerId: string; keyId: string; signingSecret: string }

/** `Authorization` for a request now: DoorDash's own JWT (HS256), cached for a few minutes. */
export function jwtSigner(key: SigningKey, wallMs: () => number): () => string {
  let held = { header: '', renewFromS: 0 }
  return () => {
    const nowS = Math.floor(wallMs() / 1_000)
    if (nowS >= held.renewFromS || nowS < held.renewFromS - LIVES_S) {
      held = { header: `Bearer ${signedJwt(key, nowS)}`, renewFromS: nowS + LIVES_S - RENEW_S }
    }
    return held.header
  }
}

function signedJwt({ developerId, keyId, signingSecret }: SigningKey, nowS: number): string {
  const header = encode({ alg: 'HS256', typ: 'JWT', 'dd-ver': 'DD-JWT-V1' })
  const claims = encode({
    aud: 'doordash',
    iss: developerId,
    kid: keyId,
    iat: nowS,
    exp: nowS + LIVES_S,
  })
  const signed = `${header}.${claims}`
  const secret = Buffer.from(signingSecret, 'base64url')
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

type Options = { challenge: string; rp?: { id: string }; rpId?: string }
export type Faults = {
  /** The page that asks, if not Drover's own. */
  origin?: string
  /** The person was there and gave no fingerprint or PIN. */
  isUnverified?: boolean
  /** The attestation statement and its format. */
  attestation?: { fmt: string; attStmt: Map<string, unknown> }
  signCount?: number
  /** The credential id inside the attestation, if not the one outside. */
  innerId?: Buffer
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const text = (bytes: Buffer | Uint8Array) => Buffer.from(bytes).toString('base64url')
const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

/** An authenticator with one key, on the pages of `origin`: what a phone or a security key does (WebAuthn, 6). */
export function softAuthenticator(origin: string, id = randomBytes(32)) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })

  function clientData(type: string, challenge: string, faults: Faults): Buffer {
    return Buffer.from(
      JSON.stringify({ type, challenge, origin: faults.origin ?? origin, crossOrigin: false }),
    )
  }
  function authenticatorData(rpId: string, faults: Faults, attested: Buffer | null): Buffer {
    const head = Buffer.alloc(5)
    head[0] = PRESENT | (faults.isUnverified ? 0 : VERIFIED) | (attested ? ATTESTED : 0)
    head.writeUInt32BE(faults.signCount ?? 0, 1)
    return Buffer.concat([sha256(rpId), head, attested ?? Buffer.alloc(0)])
  }

  return {
    id,
    /** The answer to `navigator.credentials.create`. */
    create({ challenge, rp }: Options, faults: Faults = {}) {
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ])
      const length = Buffer.alloc(2)
      const inner = faults.innerId ?? id
      length.writeUInt16BE(inner.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, inner, Buffer.from(isoCBOR.encode(key))])
      const { fmt, attStmt } = faults.attestation ?? { fmt: 'none', attStmt: new Map() }
      const object = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', new Uint8Array(authenticatorData(rp?.id ?? '', faults, attested))],
      ])
      return {
        id: text(id),
        rawId: text(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(clientData('webauthn.create', challenge, faults)),
          attestationObject: text(isoCBOR.encode(object as Map<string, string>)),
          transports: ['internal'],
        },
      }
    },
    /** The answer to `navigator.credentials.get`. */
    get({ challenge, rpId = '' }: Options, faults: Faults = {}, userHandle?: string) {
      const client = clientData('webauthn.get', challenge, faults)
      const data = authenticatorData(rpId, faults, null)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      return {
        id: text(id),
        rawId: text(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(data),
          signature: text(signature),
          ...(userHandle && { userHandle }),
        },
      }
    },
  }
}

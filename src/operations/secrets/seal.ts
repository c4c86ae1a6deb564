import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** An encrypted secret as it is stored: readable only with the key, and only in its own place. */
export type Sealed = { keyId: string; nonce: Buffer; ciphertext: Buffer }

/** `place` is authenticated with the ciphertext: a sealed text that was copied to another row cannot be decrypted. */
export type Sealer = {
  seal(text: string, place: string): Sealed
  /** Throws if the key is not one of ours, or if the text was changed or moved. */
  open(sealed: Sealed, place: string): string
  /** Whether its key is one of ours. */
  knows(sealed: Sealed): boolean
  /** The key that `seal` uses. Rows encrypted with another key wait for re-encryption. */
  keyId: string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encryption at rest (AES-256-GCM) under a key derived from `secretKey`. `oldSecretKeys` still decrypt what they
 * encrypted.
 */
export function makeSealer(secretKey: string, oldSecretKeys: readonly string[] = []): Sealer {
  const newest = deriveKey(secretKey)
  const keys = new Map([newest, ...oldSecretKeys.map(deriveKey)].map((key) => [key.id, key]))
  return {
    keyId: newest.id,
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', newest.bytes, nonce).setAAD(Buffer.from(place))
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return { keyId: newest.id, nonce, ciphertext }
    },
    knows: ({ keyId }) => keys.has(keyId),
    open({ keyId, nonce, ciphertext }, place) {
      const key = keys.get(keyId)
      if (!key) throw new Error(`The secret was sealed with key ${keyId}, which is not the one set now.`)
      const tagAt = ciphertext.length - TAG_BYTES
      const cipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(place))
        .setAuthTag(ciphertext.subarray(tagAt))
      return Buffer.concat([cipher.update(ciphertext.subarray(0, tagAt)), cipher.final()]).toString('utf8')
    },
  }
}

/** The id tells keys apart without revealing anything about them. */
function deriveKey(secretKey: string): { id: string; bytes: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', secretKey, 'drover', 'sealed-secrets', 32))
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 12), bytes }
}

/** The additional data that an endpoint's secrets are bound to. */
export function endpointPlace({ accountId, endpointId }: { accountId: string; endpointId: string }): string {
  return `${accountId}|${endpointId}`
}

/** An encrypted second factor can be decrypted for its own user only. */
export function factorPlace({ accountId, userId }: { accountId: string; userId: string }): string {
  return `user_factors/${accountId}/${userId}`
}

import { listAnswersSealedOtherwise, replaceAnswerSealing, SEALED } from '../../store/accounts/secrets.ts'
import type { Db } from '../../store/db/db.ts'
import type { Sealed, Sealer } from './seal.ts'

/**
 * Idempotency key: encrypts a stored response that shows a secret, so that the database never holds it in clear text.
 */
export function sealAnswer(sealer: Sealer, accountId: string, key: string, body: string): string {
  const { keyId, nonce, ciphertext } = sealer.seal(body, toAnswerPlace(accountId, key))
  return SEALED + [keyId, nonce.toString('base64'), ciphertext.toString('base64')].join(':')
}

/**
 * The response that `sealAnswer` encrypted; a response that was stored in clear is returned as it is. Throws if no key
 * of ours decrypts it.
 */
export function openAnswer(sealer: Sealer, accountId: string, key: string, kept: string): string {
  return kept.startsWith(SEALED) ? sealer.open(parseSealed(kept), toAnswerPlace(accountId, key)) : kept
}

/** Key rotation: encrypts responses again with the newest key. Returns their number. */
export async function resealAnswers(
  { db, sealer }: { db: Db; sealer: Sealer },
  accountId: string,
): Promise<number> {
  let resealed = 0
  for (let after: string | null = ''; after !== null; ) {
    const { answers, last } = await listAnswersSealedOtherwise(db, { accountId, keyId: sealer.keyId, after })
    for (const answer of answers) {
      const body = openAnswer(sealer, accountId, answer.key, answer.body)
      const sealed = sealAnswer(sealer, accountId, answer.key, body)
      if (await replaceAnswerSealing(db, accountId, answer, sealed)) resealed += 1
    }
    after = last
  }
  return resealed
}

function toAnswerPlace(accountId: string, key: string): string {
  return `${accountId}|idempotency|${key}`
}

function parseSealed(text: string): Sealed {
  const [keyId = '', nonce = '', ciphertext = ''] = text.slice(SEALED.length).split(':')
  return { keyId, nonce: Buffer.from(nonce, 'base64'), ciphertext: Buffer.from(ciphertext, 'base64') }
}

import type { Sealed } from '../operations/seal.ts'
import type { Answer, TenantAsk } from './endpoint.ts'
import { answerOnce, type Keep, keepNothing } from './idempotency.ts'

const MARK = 'sealed:'

/**
 * Answers once per Idempotency-Key where the answer shows a secret: it is kept sealed, so that the database
 * never holds the secret in clear.
 */
export async function answerOnceSealed(
  { deps, entry, idempotency, request }: Pick<TenantAsk, 'deps' | 'entry' | 'idempotency' | 'request'>,
  work: (keep: Keep) => Promise<Answer>,
): Promise<Answer> {
  if (!idempotency) return work(keepNothing)
  const accountId = entry.account.id
  const place = `${accountId}|idempotency|${idempotency.key}`
  const { sealer } = deps
  const sealed = (answer: Answer): Answer => {
    const body = MARK + textOf(sealer.seal(answer.body.toString(), place))
    return { ...answer, body }
  }
  const kept = await answerOnce(deps, { accountId, ...idempotency }, request.id, async (keep) =>
    sealed(await work((db, answer) => keep(db, sealed(answer)))),
  )
  const body = kept.body.toString()
  return body.startsWith(MARK) ? { ...kept, body: sealer.open(sealedOf(body), place) } : kept
}

function textOf({ keyId, nonce, ciphertext }: Sealed): string {
  return [keyId, nonce.toString('base64'), ciphertext.toString('base64')].join(':')
}

function sealedOf(text: string): Sealed {
  const [keyId = '', nonce = '', ciphertext = ''] = text.slice(MARK.length).split(':')
  return { keyId, nonce: Buffer.from(nonce, 'base64'), ciphertext: Buffer.from(ciphertext, 'base64') }
}

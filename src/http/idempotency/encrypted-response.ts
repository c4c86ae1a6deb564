import { openAnswer, sealAnswer } from '../../operations/secrets/sealed-answers.ts'
import type { HttpResponse, Keep, TenantRequest } from '../contract/endpoint.ts'
import { answerOnce, keepNothing } from './idempotency.ts'

/**
 * Idempotency key, for responses that contain a secret: the stored response is encrypted, so the database never holds
 * the secret in plain text.
 */
export async function answerOnceEncrypted(
  { deps, entry, idempotency, request }: Pick<TenantRequest, 'deps' | 'entry' | 'idempotency' | 'request'>,
  work: (keep: Keep) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  if (!idempotency) return work(keepNothing)
  const accountId = entry.account.id
  const { sealer } = deps
  const sealed = (answer: HttpResponse): HttpResponse => ({
    ...answer,
    body: sealAnswer(sealer, accountId, idempotency.key, answer.body.toString()),
  })
  const stored = await answerOnce(deps, { accountId, ...idempotency }, request.id, async (keep) =>
    sealed(await work((db, answer) => keep(db, sealed(answer)))),
  )
  return { ...stored, body: openAnswer(sealer, accountId, idempotency.key, stored.body.toString()) }
}

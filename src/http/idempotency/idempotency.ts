import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/errors.ts'
import type { Checkpoint } from '../../operations/idempotency/checkpoint.ts'
import { idempotencyConflict } from '../../operations/idempotency/idempotency-conflict.ts'
import { openAnswer, sealAnswer } from '../../operations/secrets/sealed-answers.ts'
import {
  type Claim,
  claimKey,
  completeKey,
  type IdempotentRequest,
  LOCK_SECONDS,
  readKey,
  releaseKey,
  type StoredAnswer,
  saveCheckpoint,
} from '../../store/deliveries/idempotency.ts'
import type { HttpDeps } from '../contract/deps.ts'
import type { HttpResponse, Keep, TenantRequest } from '../contract/endpoint.ts'
import { findRefusal, problem } from '../contract/problem.ts'
import { UNCACHED_ERRORS } from '../contract/uncached-errors.ts'

const PAUSE_MS = 1_000

/**
 * Idempotency key: releases the key of a request that failed. While the database is unavailable, it retries once a
 * second until the lock expires: a client that got 503 sends the request again, and should not wait for an abandoned
 * lock.
 */
async function releaseKeyWithRetry(deps: HttpDeps, keyed: IdempotentRequest, lock: string): Promise<void> {
  try {
    await releaseKey(deps.db, keyed, lock)
  } catch {
    retryRelease(deps, keyed, lock, performance.now() + LOCK_SECONDS * 1_000)
  }
}

function retryRelease(deps: HttpDeps, keyed: IdempotentRequest, lock: string, endMs: number): void {
  const attempt = () => {
    releaseKey(deps.db, keyed, lock).catch(() => {
      if (performance.now() < endMs) retryRelease(deps, keyed, lock, endMs)
    })
  }
  setTimeout(attempt, PAUSE_MS).unref()
}

/** Idempotency key: the key and fingerprint of a request; null without the header. Throws `invalid_idempotency_key`. */
export function makeIdempotency(
  request: FastifyRequest,
  body: unknown,
): { key: string; fingerprint: Buffer } | null {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  const { method, url, caller } = request
  return {
    key: parseKey(String(header)),
    fingerprint: fingerprint(method, url, withoutCredentials(body), caller?.storeReferences),
  }
}

/**
 * The body without the caller's own password and code. They identify the caller and not the request, a retry has a newer code,
 * and a stored hash of a password could be guessed at.
 */
function withoutCredentials(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('password' in body)) return body
  const { password: _, code: __, ...rest } = body as { password: unknown; code?: unknown }
  return rest
}

/** Accepts a bare key, or a quoted one as in the IETF draft; 1 to 255 printable ASCII characters either way. */
export function parseKey(header: string): string {
  const quoted = /^"(.*)"$/.exec(header)?.[1]
  const key = quoted ?? header
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  const message = 'Idempotency-Key must have 1 to 255 printable ASCII characters.'
  throw new Refusal('invalid_idempotency_key', message, {
    issues: [{ field: 'Idempotency-Key', issue: 'invalid_value', message }],
  })
}

export const keepNothing: Keep = async () => {}

/**
 * Runs a request once per key: the first response is stored and replayed byte for byte. Errors that do not concern the
 * operation (`UNCACHED_ERRORS`) and our own failures release the key. A request that takes over an abandoned key gets
 * the checkpoint that the earlier request saved.
 */
export async function answerOnce(
  deps: HttpDeps,
  keyed: IdempotentRequest,
  requestId: string,
  answer: (keep: Keep, checkpoint: Checkpoint) => HttpResponse | Promise<HttpResponse>,
): Promise<HttpResponse> {
  const claim = await claimKey(deps.db, keyed)
  if (claim.kind !== 'claimed') return answerOfClaim(claim)
  let isStored = false
  const keep: Keep = async (db, one) => {
    await completeKey(db, keyed, claim.lock, storable(one))
    isStored = true
  }
  const checkpoint: Checkpoint = {
    at: claim.begun,
    note: (db, at) => saveCheckpoint(db, keyed, claim.lock, at),
  }
  let response: HttpResponse
  try {
    response = await answer(keep, checkpoint)
    if (isStored) return response
  } catch (error) {
    const refusal = findRefusal(error)
    if (!refusal || UNCACHED_ERRORS.has(refusal.code)) {
      await releaseKeyWithRetry(deps, keyed, claim.lock)
      throw error
    }
    return keepRefusal(deps, keyed, claim.lock, problem(refusal, requestId))
  }
  await completeKey(deps.db, keyed, claim.lock, storable(response))
  return response
}

/**
 * Stores the response to a request that changed nothing. If that fails, the key is released so that the client can
 * retry.
 */
export async function keepRefusal(
  deps: HttpDeps,
  keyed: IdempotentRequest,
  lock: string,
  answer: StoredAnswer,
): Promise<StoredAnswer> {
  try {
    await completeKey(deps.db, keyed, lock, answer)
    return answer
  } catch (error) {
    await releaseKeyWithRetry(deps, keyed, lock)
    throw error
  }
}

/** The response for a key that is already in use: the stored one, or an error that is thrown. */
export function answerOfClaim(claim: Exclude<Claim, { kind: 'claimed' }>): HttpResponse {
  if (claim.kind === 'replay') return replayed(claim.answer)
  throw idempotencyConflict(claim)
}

export function replayed(answer: StoredAnswer): HttpResponse {
  return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } }
}

export function storable({ status, headers, body }: HttpResponse): StoredAnswer {
  return { status, headers: headers ?? {}, body: body.toString() }
}

/** Canonical JSON: sorted keys, no spaces. Callers have already bounded the depth. */
function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const object = value as Record<string, unknown>
  const members = Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`)
  return `{${members.join(',')}}`
}

/**
 * Fingerprint of a request for idempotency: method, path with query, and the body's JSON value (its bytes if it was not
 * parsed). It includes the stores that the caller may see (null: all of them), because a response shows only those.
 */
export function fingerprint(
  method: string,
  url: string,
  body: unknown,
  storeReferences: Iterable<string> | null = null,
): Buffer {
  const storesPart = storeReferences === null ? '' : `${canonicalJson([...storeReferences].sort())}\n`
  return createHash('sha256')
    .update(`${storesPart}${method}\n${url}\n`)
    .update(Buffer.isBuffer(body) ? body : canonicalJson(body))
    .digest()
}

/**
 * Idempotency key, for operations that store the key with their own success: handles their errors. A key that already
 * has a response gets the same response again, even if the request would now be rejected. The first error that concerns
 * the operation is stored.
 */
export async function answerErrorOnce(
  deps: HttpDeps,
  keyed: IdempotentRequest,
  requestId: string,
  answer: () => HttpResponse | Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return UNCACHED_ERRORS.has(error.code) ? knownOr(deps, keyed, error) : keep(deps, keyed, requestId, error)
  }
}

async function knownOr(deps: HttpDeps, keyed: IdempotentRequest, refusal: Refusal): Promise<HttpResponse> {
  const known = await readKey(deps.db, keyed)
  if (known) return decrypted(deps, keyed, answerOfClaim(known))
  throw refusal
}

async function keep(
  deps: HttpDeps,
  keyed: IdempotentRequest,
  requestId: string,
  refusal: Refusal,
): Promise<HttpResponse> {
  const claim = await claimKey(deps.db, keyed)
  if (claim.kind !== 'claimed') return decrypted(deps, keyed, answerOfClaim(claim))
  return keepRefusal(deps, keyed, claim.lock, problem(refusal, requestId))
}

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
  return decrypted(deps, { accountId, ...idempotency }, stored)
}

function decrypted(
  { sealer }: HttpDeps,
  { accountId, key }: IdempotentRequest,
  answer: HttpResponse,
): HttpResponse {
  return { ...answer, body: openAnswer(sealer, accountId, key, answer.body.toString()) }
}

import { createHash } from 'node:crypto'

/** JSON whose text depends on the value alone: sorted keys, no spaces. Callers have already bounded the depth. */
export function canonicalJson(value: unknown): string {
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
  storeIds: readonly string[] | null = null,
): Buffer {
  const sight = storeIds === null ? '' : `${canonicalJson(storeIds.toSorted())}\n`
  return createHash('sha256')
    .update(`${sight}${method}\n${url}\n`)
    .update(Buffer.isBuffer(body) ? body : canonicalJson(body))
    .digest()
}

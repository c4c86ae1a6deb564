import { createHash } from 'node:crypto'

/** JSON whose text depends on the value alone: keys in order, no spaces. Callers have bounded the depth. */
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
 * What makes two requests the same: method, path with query, and the body's meaning; its bytes where it was not read.
 * Also the stores in sight of a caller who may not see all (null: he may), as an answer tells what its caller may see.
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

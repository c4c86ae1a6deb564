import type { Operation } from './operation.ts'

/** A line for a shell. Variables stand where only the reader knows the value. */
export function curlOf(method: string, path: string, operation: Operation, publicUrl: string): string {
  const address = path
    .replace('{tenant_id}', 'demo')
    .replace(/\{([a-z_]+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  const parts = [`curl -sS${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "${publicUrl}${address}"`]
  const scheme = Object.keys(operation.security[0] ?? {})[0]
  if (scheme === 'token') parts.push('-H "Authorization: Bearer $TOKEN"')
  if (scheme === 'operator') parts.push('-H "Authorization: Bearer $DROVER_OPERATOR_TOKEN"')

  const media = operation.requestBody?.content['application/json']
  if (media && (operation.requestBody?.required || media.example !== undefined)) {
    parts.push('-H "Content-Type: application/json"')
    parts.push(`-d '${JSON.stringify(media.example ?? {}, null, 2).replaceAll("'", "'\\''")}'`)
  }
  return parts.join(' \\\n  ')
}

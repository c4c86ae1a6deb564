import { signPath } from '../../../operations/secrets/sign.ts'
import type { HttpDeps } from '../../contract/deps.ts'

/** A signed URL of a document is valid for 24 hours from the response that contains it. */
const LINK_LIFE_MS = 24 * 60 * 60 * 1000

/** Capability URL: an absolute, signed URL that opens a document without a bearer token. */
export function signedUrl(deps: HttpDeps, path: string): string {
  return `${deps.publicUrl}${path}?${signPath(deps.secretKey, path, Date.now() + LINK_LIFE_MS)}`
}

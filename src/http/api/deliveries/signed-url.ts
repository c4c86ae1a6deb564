import { signPath } from '../../../operations/secrets/sign.ts'
import type { HttpDeps } from '../../contract/deps.ts'

/** Signed addresses of documents are good for a day from the reading. */
const LINK_LIFE_MS = 24 * 60 * 60 * 1000

/** The absolute address that opens a document without a bearer. */
export function signedUrl(deps: HttpDeps, path: string): string {
  return `${deps.publicUrl}${path}?${signPath(deps.secretKey, path, Date.now() + LINK_LIFE_MS)}`
}

import assert from 'node:assert/strict'
import type { Reply } from './api.ts'

/** A document that runs nothing in the browser that opens it, and is shown or saved as `disposition` says. */
export function assertHarmless({ headers }: Reply, disposition: string): void {
  assert.equal(headers['content-disposition'], disposition)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-security-policy']), /default-src 'none'.*\bsandbox$/)
}

import { textField } from './loose.ts'
import type { AccountMistake } from './mistake.ts'

/**
 * First segments of Drover's own paths: an account of that name could never be reached. A test holds this list against
 * the routes.
 */
export const RESERVED_TENANT_IDS: readonly string[] = [
  ...[
    'admin',
    'carriers',
    'courier',
    'docs',
    'driver',
    'health',
    'l',
    'metrics',
    'openapi',
    'portal',
    'session',
  ],
  ...['map', 'pickup', 'track'],
]

/** An account may not be called like a path of ours. Reads documents of any shape. */
export function* reservedIdMistakes(document: unknown): Generator<AccountMistake> {
  const id = textField(document, 'tenant_id')
  if (id === undefined || !RESERVED_TENANT_IDS.includes(id)) return
  yield {
    path: ['tenant_id'],
    kind: 'conflict',
    wrong: `"${id}" is reserved for Drover’s own URLs`,
    remedy: `choose another id, such as "${id}-shop"`,
  }
}

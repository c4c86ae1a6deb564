import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Whether this file is the program that was started. `import.meta.main` is false where `with-node.mjs` imports it,
 * which it does if the Node that runs it is new enough.
 */
export function isMain(address: string): boolean {
  return resolve(process.argv[1] ?? '') === fileURLToPath(address)
}

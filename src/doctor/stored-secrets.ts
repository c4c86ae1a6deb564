import type { Pool } from 'pg'
import type { Finding } from '../cli/deps.ts'
import type { Config } from '../config.ts'
import { countUnreadable } from '../operations/accounts/count-unreadable.ts'
import { makeSealer } from '../operations/secrets/seal.ts'
import { good, wrong } from './finding.ts'

/** Whether the secret key of this process decrypts everything that the database holds encrypted. */
export async function checkStoredSecrets(
  db: Pool,
  { secretKey, oldSecretKeys }: Pick<Config, 'secretKey' | 'oldSecretKeys'>,
): Promise<Finding[]> {
  const found = await countUnreadable({ db, sealer: makeSealer(secretKey, oldSecretKeys) })
  const kinds = KINDS.flatMap(({ key, one, many }) => {
    const count = found[key]
    return count === 0 ? [] : `${count} ${count === 1 ? one : many}`
  })
  if (kinds.length === 0) return [good('stored secrets', 'The secret key decrypts every stored secret.')]
  const named = found.names.length > 0 ? ` (${found.names.join(', ')})` : ''
  return [
    wrong(
      'stored secrets',
      `${secretKey === '' ? 'There is no secret key, so Drover' : 'The secret key'} cannot decrypt ${listed(kinds)}${named}.`,
      'Set DROVER_SECRET_KEY to the key that encrypted them, or add that key to DROVER_OLD_SECRET_KEYS. ' +
        'If it is lost, set each secret again: drover secret set <name> --account <id> < file',
    ),
  ]
}

const KINDS = [
  { key: 'secrets', one: "carrier's secret", many: "carriers' secrets" },
  { key: 'webhooks', one: "webhook endpoint's secret", many: "webhook endpoints' secrets" },
  { key: 'factors', one: "person's second factor", many: "people's second factors" },
] as const

function listed(kinds: readonly string[]): string {
  return kinds.length < 2 ? kinds.join() : `${kinds.slice(0, -1).join(', ')} and ${kinds.at(-1)}`
}

import { LRUCache } from 'lru-cache'
import { hasProof } from '../../../domain/delivery/status.ts'
import { readVersions } from '../../../operations/deliveries/list-deliveries.ts'
import type { AccountEntry } from '../../../operations/directory/account-directory.ts'
import type { HttpDeps } from '../../contract/deps.ts'
import { deliveryData } from './delivery-answer.ts'

/** A row of a list: a delivery and the version of its row. */
type Listed = { deliveryId: string; rowVersion: string }

/** Some 3,000 deliveries of 1.7 kB. */
const MAX_CACHED_CHARACTERS = 5_000_000

/**
 * Deliveries as the JSON text that lists show. Portals and shops list the newest deliveries again and again, and few of
 * them have changed: reading and writing those took three quarters of a list's CPU time.
 */
const texts = new LRUCache<string, string>({
  maxSize: MAX_CACHED_CHARACTERS,
  sizeCalculation: (text, key) => text.length + key.length,
})

/** The JSON texts of a page, in its order. Reads only what this process does not have in the row's version. */
export async function listedTexts(
  deps: HttpDeps,
  entry: AccountEntry,
  page: readonly Listed[],
): Promise<string[]> {
  const found = new Map<string, string>()
  const missing: string[] = []
  for (const { deliveryId, rowVersion } of page) {
    const text = texts.get(keyOf(deps, entry, deliveryId, rowVersion))
    if (text === undefined) missing.push(deliveryId)
    else found.set(deliveryId, text)
  }
  if (missing.length > 0) {
    const read = await readVersions(deps, entry.account.id, missing)
    await Promise.all(
      read.map(async ({ delivery, rowVersion }) => {
        const text = JSON.stringify(await deliveryData(deps, entry, delivery))
        found.set(delivery.id, text)
        // The URL of a proof is valid for a day from the response.
        if (!hasProof(delivery)) texts.set(keyOf(deps, entry, delivery.id, rowVersion), text)
      }),
    )
  }
  return page.flatMap(({ deliveryId }) => found.get(deliveryId) ?? [])
}

/** All that a delivery's text depends on: the row, the account document, and this installation's URL. */
function keyOf(
  { publicUrl }: Pick<HttpDeps, 'publicUrl'>,
  { account }: AccountEntry,
  deliveryId: string,
  rowVersion: string,
): string {
  return `${account.id}\n${deliveryId}\n${rowVersion}\n${account.version}\n${publicUrl}`
}

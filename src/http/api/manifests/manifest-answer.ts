import type { AccountEntry } from '../../../operations/context/account-directory.ts'
import type { FullManifest } from '../../../operations/manifests/get-manifest.ts'
import type { HttpDeps } from '../../contract/deps.ts'
import { signedUrl } from '../deliveries/signed-url.ts'
import { fromManifest } from './manifest-wire.ts'

/** The manifest for a response, with a fresh link to its summary if one was requested. */
export async function manifestData(
  deps: HttpDeps,
  entry: AccountEntry,
  full: FullManifest,
): Promise<Record<string, unknown>> {
  const { accountId, id, storeId, accountVersion, wantsSummary } = full.manifest
  const store =
    entry.account.storeById.get(storeId) ??
    (await deps.accounts.atVersion(accountId, accountVersion)).storeById.get(storeId)
  const path = `/${encodeURIComponent(accountId)}/manifests/${id}/order-summary`
  return fromManifest(full, {
    storeReference: store?.reference ?? storeId,
    summaryUrl: wantsSummary ? signedUrl(deps, path) : null,
  })
}

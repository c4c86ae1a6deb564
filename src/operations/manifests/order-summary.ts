import { type OrderSummary, orderSummaryPdf, type SummaryLine } from '../../documents/order-summary.ts'
import { turnsOf } from '../../documents/turns.ts'
import type { Account } from '../../domain/account/account.ts'
import { formatLocal } from '../../domain/calendar/zone.ts'
import { resolveDangerousGoods } from '../../domain/dangerous-goods/resolve.ts'
import type { Manifest } from '../../domain/manifests/manifest.ts'
import { csvLines, csvText } from '../../domain/text/write-csv.ts'
import { findOrderSummary, storeOrderSummary } from '../../store/carriers/carrier-documents.ts'
import { listManifestLines, type ManifestLine } from '../../store/manifests/manifest-lines.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { getManifestRow } from './get-manifest.ts'

/**
 * A manifest's order summary as PDF: the carrier's own if it makes one, otherwise ours; ours marks every page
 * of a draft as a draft.
 */
export async function orderSummary(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  manifestId: string,
): Promise<Buffer> {
  const manifest = await getManifestRow(deps, entry, caller, manifestId)
  return (await carrierSummary(deps, manifest)) ?? manifestPdf(deps, manifest)
}

/** Our summary of a manifest that is already loaded. */
export async function manifestPdf(deps: Deps, manifest: Manifest): Promise<Buffer> {
  const lines = await listLines(deps, manifest)
  const account = await deps.accounts.atVersion(manifest.accountId, manifest.accountVersion)
  return orderSummaryPdf(toSummary(account, manifest, lines))
}

/** One row per article, for import by carriers. */
export async function manifestCsv(deps: Deps, manifest: Manifest): Promise<string> {
  const lines = await listLines(deps, manifest)
  const parts = [csvText([CSV_HEAD])]
  const turn = turnsOf()
  for (const { consignmentNumber, reference, to, weightKg, dangerousGoods, articleIds } of lines) {
    const [before, after] = [
      [manifest.orderId, consignmentNumber, reference, to],
      [articleIds.length, weightKg, dangerousGoods],
    ]
    parts.push(csvLines(articleIds.map((id) => [...before, id, ...after])))
    await turn()
  }
  return parts.join('')
}

const CSV_HEAD = [
  ...['manifest', 'consignment_number', 'reference', 'to', 'article_id', 'articles', 'total_weight_kg'],
  'dangerous_goods',
]

async function listLines(deps: Deps, manifest: Manifest): Promise<SummaryLine[]> {
  const rows = await listManifestLines(deps.db, manifest.accountId, manifest.id)
  const versions = [...new Set(rows.map(({ accountVersion }) => accountVersion))]
  const accounts = new Map(
    await Promise.all(
      versions.map(
        async (version) => [version, await deps.accounts.atVersion(manifest.accountId, version)] as const,
      ),
    ),
  )
  const lines: SummaryLine[] = []
  const turn = turnsOf()
  for (const row of rows) {
    lines.push(toLine(accounts.get(row.accountVersion) as Account, row))
    await turn()
  }
  return lines
}

/**
 * Stored once fetched. Null: the carrier makes no summary or can't be reached now; our summary shows its
 * order number too.
 */
async function carrierSummary(deps: Deps, manifest: Manifest): Promise<Buffer | null> {
  const { accountId, id, provider, orderId } = manifest
  const summary = (await findCarrier(deps, accountId, provider))?.manifest?.summary
  if (!summary || orderId === null) return null
  const kept = await findOrderSummary(deps.db, accountId, id)
  if (kept) return kept
  const outcome = await summary(orderId)
  if (outcome.kind !== 'yes' || !outcome.value.subarray(0, 5).equals(Buffer.from('%PDF-'))) return null
  await storeOrderSummary(deps.db, accountId, id, outcome.value)
  return outcome.value
}

function toSummary(account: Account, manifest: Manifest, lines: readonly SummaryLine[]): OrderSummary {
  const store = account.storeById.get(manifest.storeId)
  const zone = store?.zone ?? account.zone
  const { submittedAtMs, costCents } = manifest
  return {
    carrierName: manifest.carrierName,
    group: manifest.group,
    dangerousGoods: manifest.dangerousGoods,
    manifestId: manifest.id,
    orderId: manifest.orderId,
    sandbox: account.mode === 'sandbox',
    store: {
      name: store?.name ?? manifest.storeId,
      place: store ? `${store.address.address}, ${store.address.city}` : '',
    },
    madeAt: formatLocal(zone, manifest.createdAtMs),
    submittedAt: submittedAtMs === null ? null : formatLocal(zone, submittedAtMs),
    totalCost: costCents === null ? null : costCents / 100,
    lines,
  }
}

function toLine(account: Account, row: ManifestLine): SummaryLine {
  const place = `${row.suburb} ${row.state} ${row.postCode}`
  const to = row.customerPickup ? `from ${place}` : place
  return {
    reference: row.reference,
    consignmentNumber: row.consignmentNumber,
    to: row.movedToAnotherCarrier ? 'moved to another carrier' : to,
    units: row.units,
    weightKg: row.parcels.reduce((kg, { weightKg, quantity }) => kg + weightKg * quantity, 0),
    articleIds: row.articles.flatMap(({ articleIds }) => articleIds),
    dangerousGoods: goodsWords(account, row),
  }
}

/** `3 UN1266, 9 UN3481`: the class and UN number of each entry, once. */
function goodsWords(account: Account, { parcels }: ManifestLine): string {
  const entries = parcels.flatMap(({ dangerousGoods }) => {
    if (!dangerousGoods) return []
    const resolved = resolveDangerousGoods(account.dangerousGoods, dangerousGoods, '')
    return 'goods' in resolved ? [`${resolved.goods.classDivision} ${resolved.goods.unNumber}`] : []
  })
  return [...new Set(entries)].join(', ')
}

import type { Pool } from 'pg'
import { makeParquetFile } from '../../documents/parquet.ts'
import { Refusal } from '../../domain/errors.ts'
import {
  ARCHIVE_TABLES,
  type ArchiveTableName,
  findFirstDeliveryId,
  listAccountsToArchive,
  listArchiveRows,
  listDeliveryIds,
} from '../../store/archive/archive-rows.ts'
import { timeOf } from '../../store/db/id-times.ts'

/** Where the archive is: a folder, or a bucket. */
export type ArchiveStorage = {
  has(name: string): Promise<boolean>
  /** Writes the whole file or nothing; replaces a file of this name. */
  put(name: string, content: Buffer): Promise<void>
}

export type ArchivedMonth = { accountId: string; month: string; deliveries: number; bytes: number }

export type ArchiveOptions = {
  db: Pool
  storage: ArchiveStorage
  /** Null: every account. */
  accountId: string | null
  nowMs: number
  onMonth?: (month: ArchivedMonth) => void
  onFailure?: (accountId: string, error: unknown) => void
}

/** A month is archived this long after its end: by then its parcels have been delivered or returned. */
export const ARCHIVED_AFTER_DAYS = 60
const DAY_MS = 86_400_000
/** Deliveries in each row group. */
const BATCH = 5_000

/**
 * Writes each account's months that ended at least 60 days ago and that the archive does not have, oldest first. The
 * deliveries are written last, so a month that was cut short is written again. Returns the months that it wrote. If an
 * account fails, the others are archived first; then it throws.
 */
export async function archiveMonths(options: ArchiveOptions): Promise<ArchivedMonth[]> {
  const { db, storage, nowMs, onMonth = () => {}, onFailure = () => {} } = options
  const accountIds = await listAccountsToArchive(db, options.accountId)
  if (options.accountId !== null && accountIds.length === 0)
    throw new Refusal('not_found', `There is no account ${options.accountId}.`)
  const written: ArchivedMonth[] = []
  const failures: unknown[] = []
  for (const accountId of accountIds) {
    try {
      const first = await findFirstDeliveryId(db, accountId)
      for (const month of first === null ? [] : listMonths(timeOf(first), nowMs)) {
        if (await storage.has(nameOf('deliveries', accountId, month))) continue
        const archived = await archiveMonth(db, storage, accountId, month)
        if (archived.deliveries === 0) continue
        written.push(archived)
        onMonth(archived)
      }
    } catch (error) {
      failures.push(error)
      onFailure(accountId, error)
    }
  }
  if (failures.length === 0) return written
  const which = `${failures.length} of ${accountIds.length} accounts`
  throw new Error(`${which} could not be archived.`, { cause: failures[0] })
}

type Month = { name: string; fromMs: number; toMs: number }

/** The UTC months from that of the first delivery to the last that ended early enough. */
export function listMonths(firstMs: number, nowMs: number): Month[] {
  const first = new Date(firstMs)
  const start = (n: number) => Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + n, 1)
  const months: Month[] = []
  for (let n = 0; start(n + 1) <= nowMs - ARCHIVED_AFTER_DAYS * DAY_MS; n++)
    months.push({
      name: new Date(start(n)).toISOString().slice(0, 'yyyy-mm'.length),
      fromMs: start(n),
      toMs: start(n + 1),
    })
  return months
}

/** Hive-style partition paths, which tell readers the account and month. */
function nameOf(table: ArchiveTableName, accountId: string, { name }: Pick<Month, 'name'>): string {
  return `${table}/account=${accountId}/month=${name}/${table}.parquet`
}

async function archiveMonth(
  db: Pool,
  storage: ArchiveStorage,
  accountId: string,
  month: Month,
): Promise<ArchivedMonth> {
  const result = { accountId, month: month.name, deliveries: 0, bytes: 0 }
  // `deliveries` is the last of the tables.
  for (const table of Object.keys(ARCHIVE_TABLES) as ArchiveTableName[]) {
    const file = makeParquetFile(ARCHIVE_TABLES[table].columns)
    let [rows, after] = [0, '']
    for (;;) {
      const ids = await listDeliveryIds(db, { accountId, ...month }, { after, limit: BATCH })
      const batch = ids.length === 0 ? [] : await listArchiveRows(db, table, accountId, ids)
      file.add(batch)
      rows += batch.length
      if (ids.length < BATCH) break
      after = ids.at(-1) as string
    }
    if (rows === 0) continue
    const content = file.finish()
    await storage.put(nameOf(table, accountId, month), content)
    result.bytes += content.length
    if (table === 'deliveries') result.deliveries = rows
  }
  return result
}

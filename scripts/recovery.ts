/**
 * Tests a restore to an earlier moment (point-in-time recovery) as docs/operations/backup.md describes it: a
 * PostgreSQL that archives its WAL, an api and two worker processes, and carriers with their own records.
 * Clients create deliveries while a base backup is taken; the server and its files are then destroyed, and the
 * backup is restored to a moment before that.
 *
 *   npm run recovery
 *   npm run recovery -- --without-comparison     shows what is booked twice if nobody compares with the carriers' lists
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { migrate } from '../src/store/db/migrate.ts'
import { type BookedDelivery, bookedOnce, bookingsAgree, findActive } from '../test/harness/bookings.ts'
import { type CleanUps, withCleanUps } from '../test/harness/clean-ups.ts'
import { queryAt } from '../test/harness/database.ts'
import { pages, pagesAfter } from '../test/harness/http.ts'
import { deliveryOf, type LedgerEntry } from '../test/harness/ledger.ts'
import { isAtCarrier } from '../test/harness/timelines.ts'
import { startArchivedDatabase } from './recovery/archived-database.ts'
import { type Create, installOn, send, shop } from './recovery/installation.ts'
import { notBooked } from './rolling-upgrade/not-booked.ts'

const BETWEEN_MS = 3_000
/** The workers are suspended for this long before the moment, so that some restored deliveries were booked after it. */
const HELD_MS = 1_500
const MAX_SHOWN = 10
const AFTER_RESTORE = new URL('../docs/operations/after-restore.sql', import.meta.url)

const { values } = parseArgs({ options: { 'without-comparison': { type: 'boolean', default: false } } })
await withCleanUps(async (cleanUps) => {
  process.exitCode = (await recover(cleanUps)) ? 0 : 1
})

async function recover(cleanUps: CleanUps): Promise<boolean> {
  const database = await startArchivedDatabase(cleanUps)
  await migrate(database.url)
  const installation = await installOn(cleanUps, database.url)
  const { account } = installation
  await installation.startApi()
  const workers = await installation.startWorkers()

  const before = shop(installation, 'R')
  await sleep(BETWEEN_MS)
  const backupFromMs = performance.now()
  const backupBytes = await database.takeBaseBackup()
  const backupMs = performance.now() - backupFromMs
  await sleep(BETWEEN_MS)
  for (const worker of workers) worker.signal('SIGSTOP')
  await sleep(HELD_MS)
  const momentFromMs = performance.now()
  const moment = await database.now()
  const momentToMs = performance.now()
  for (const worker of workers) worker.signal('SIGCONT')
  await sleep(BETWEEN_MS)
  const { next: cursor } = await pagesAfter(account, '/events')
  await database.awaitArchive()
  const destroyed = database.destroy()
  await before.stop()
  await destroyed
  await installation.stop()

  const { copyMs, replayMs, segments } = await database.restoreTo(moment)
  await queryAt(database.url, readFileSync(AFTER_RESTORE, 'utf8'))
  await installation.startApi()
  const restored = await pages<BookedDelivery>(account, '/deliveries')
  const restoredEvents = new Set((await pages<{ id: string }>(account, '/events')).map(({ id }) => id))
  const ids = new Set(restored.map(({ id }) => id))
  const acknowledged = before.creates.filter(isAcknowledged)
  const due = acknowledged.filter((one) => one.acknowledged.atMs <= momentFromMs)
  const missing = due.filter((one) => !ids.has(one.acknowledged.id))
  const late = acknowledged.filter((one) => one.sentMs >= momentToMs)
  const unexpected = late.filter((one) => ids.has(one.acknowledged.id))

  // Before any worker starts: the carriers' lists against the restored database.
  const waiting = new Set(restored.filter(({ status }) => !isAtCarrier(status)).map(({ id }) => id))
  const atLoss = findActive(await installation.readLedgers())
  const orphans = atLoss.filter(({ key }) => !ids.has(deliveryOf(key)))
  const forgotten = atLoss.filter(({ key }) => waiting.has(deliveryOf(key)))
  const toTakeOver = forgotten.filter(({ provider }) => installation.recognisesKeys(provider))
  const toRebook = forgotten.filter((one) => !toTakeOver.includes(one))
  if (!values['without-comparison'])
    for (const entry of [...orphans, ...toRebook]) await installation.cancelAtCarrier(entry)

  // The merchants create what is missing: under the same reference, and the same idempotency key.
  const references = new Set(restored.map(({ reference }) => reference))
  const lost = before.creates.filter(({ reference }) => !references.has(reference))
  const oldIds = lost.flatMap(({ acknowledged: old, reference }) =>
    old ? [[old.id, reference] as const] : [],
  )
  for (const create of lost) await send(account, create)

  const workersFromMs = performance.now()
  await installation.startWorkers()
  const after = shop(installation, 'S')
  await sleep(BETWEEN_MS)
  await after.stop()
  const all = [...before.creates, ...after.creates].filter(isAcknowledged)
  const unbooked = await notBooked(
    account,
    all.map(({ reference, acknowledged: { id } }) => ({ reference, id })),
  )
  const bookedMs = performance.now() - workersFromMs

  const ledgerEntries = await installation.readLedgers()
  const deliveries = await pages<BookedDelivery>(account, '/deliveries')
  const referenceOf = new Map([...oldIds, ...deliveries.map(({ id, reference }) => [id, reference] as const)])
  const byOrder = ledgerEntries.map((entry) => byReference(entry, referenceOf))
  const doubled = bookedOnce({ ledgerEntries: byOrder })
  const twice = [...Map.groupBy(byOrder, ({ key }) => key).values()].filter(
    (own) => findActive(own).length > 1,
  )
  const disagreeing = bookingsAgree({ ledgerEntries, deliveries })
  const takenOver = toTakeOver.filter((entry) => isOnlyBooking(entry, ledgerEntries))
  const fresh = (await pages<{ id: string }>(account, '/events')).filter(({ id }) => !restoredEvents.has(id))
  const read = new Set((await pagesAfter(account, '/events', cursor)).all.map(({ id }) => id))
  const unread = fresh.filter(({ id }) => !read.has(id))

  console.table({
    'base backup under load, ms': Math.round(backupMs),
    'base backup, MB': Math.round(backupBytes / 1e6),
    'WAL segments in the archive': segments,
    'copying the backup back, ms': Math.round(copyMs),
    'replay to the moment and promotion, ms': Math.round(replayMs),
    'creates acknowledged before the moment': due.length,
    'of these, missing after the restore': missing.length,
    'creates sent after the moment and acknowledged': late.length,
    'of these, in the restored database': unexpected.length,
    'bookings at carriers without a delivery': orphans.length,
    'bookings of restored deliveries that were made after the moment': forgotten.length,
    'of these, at carriers that recognise our keys': toTakeOver.length,
    'of these, taken over by Drover': takenOver.length,
    'created again by merchants': lost.length,
    'from the start of the workers until every delivery is booked, ms': Math.round(bookedMs),
    'deliveries at the end': deliveries.length,
    'not booked': unbooked.length,
    'booked twice': twice.length,
    'record and carrier disagree': disagreeing.wrong.length,
    'events after the restore': fresh.length,
    'of these, not read from a cursor of the lost period': unread.length,
  })
  const lines = [
    ...missing.map(({ reference }) => `${reference} was acknowledged before the moment and is missing`),
    ...unexpected.map(({ reference }) => `${reference} was created after the moment and is there`),
    ...toTakeOver.filter((one) => !takenOver.includes(one)).map(({ key }) => `${key} was not taken over`),
    ...unbooked,
    ...doubled.wrong,
    ...disagreeing.wrong,
    ...unread.map(({ id }) => `the reader with an old cursor misses ${id}`),
    ...after.wrong,
  ]
  for (const line of lines.slice(0, MAX_SHOWN)) console.error(line)
  // Without these, the run has shown nothing about them.
  return lines.length === 0 && [due, orphans, toTakeOver, toRebook, fresh].every(({ length }) => length > 0)
}

function isAcknowledged(create: Create): create is Create & { acknowledged: { atMs: number; id: string } } {
  return create.acknowledged !== null
}

/** The entry under the reference of its order, which a delivery that was created again shares with the lost one. */
function byReference(entry: LedgerEntry, referenceOf: ReadonlyMap<string, string>): LedgerEntry {
  const key = referenceOf.get(deliveryOf(entry.key)) ?? entry.key
  return { ...entry, ledger: 'all', key, unit: key }
}

/** The booking from before the restore is still active, and no other was made. */
function isOnlyBooking({ key, id }: LedgerEntry, entries: readonly LedgerEntry[]): boolean {
  const own = entries.filter((entry) => deliveryOf(entry.key) === deliveryOf(key))
  return own.every((entry) => entry.what === 'booked' && entry.id === id)
}

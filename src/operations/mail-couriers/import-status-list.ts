import { createHash } from 'node:crypto'
import { parseTimestamp, toInstantMs } from '../../domain/calendar/timestamp.ts'
import { localDay } from '../../domain/calendar/zone.ts'
import { COURIER_STEP_NAMES, isCourierStep } from '../../domain/delivery/courier-steps.ts'
import { Refusal } from '../../domain/errors.ts'
import { NO_CONTROLS } from '../../domain/text/controls.ts'
import {
  type Columns,
  cellExcerpt,
  readTable,
  type SheetMistake,
  toName,
} from '../../domain/text/sheet-table.ts'
import { cleanText } from '../../domain/text/text-class.ts'
import { readSheets } from '../../sheets/read-sheet.ts'
import { type Sheet, UnreadableSheet } from '../../sheets/sheet.ts'
import { findDelivery, listDeliveriesByConsignment } from '../../store/deliveries/deliveries.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { type Caller, visibleStoreIds } from '../directory/caller.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { reportByHand } from './report-by-hand.ts'

type Column = 'consignment_number' | 'status' | 'at' | 'note'
const COLUMNS: Columns<Column> = {
  known: ['consignment_number', 'status', 'at', 'note'],
  needed: ['consignment_number', 'status'],
  list: 'a list of statuses',
  // A courier's own list often has more of them.
  others: 'ignored',
}

/** A day's work of the largest courier that still sends lists. Twenty columns per row, and some rows above. */
const MAX_ROWS = 5_000
const LIMITS = { rows: MAX_ROWS + 100, cells: 20 * MAX_ROWS, unpackedBytes: 4 * 1024 * 1024 }

/**
 * Imports a courier's list of delivery statuses, CSV or Excel. Valid rows are applied, and each invalid row is reported
 * with its column: one invalid row never loses the rest. Refuses `invalid_request` for a file that isn't such a list.
 */
export async function importStatusList(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  provider: string,
  file: Uint8Array,
): Promise<{ accepted: number; errors: SheetMistake[] }> {
  const carrier = await findCarrier(deps, entry.account.id, provider)
  if (!carrier) throw new Refusal('not_found', `There is no carrier ${provider}.`)
  if (!carrier.reportedManually) {
    throw new Refusal(
      'carrier_reports_itself',
      `${provider} reports the status of its deliveries itself, so a list cannot be imported for it.`,
    )
  }
  const table = readTable(await readStatusSheets(file), COLUMNS)
  if (table.lines === null || table.mistakes.length > 0) throw notAList(table.mistakes)
  if (table.lines.length > MAX_ROWS)
    throw unreadable(`The list has more than ${MAX_ROWS} lines. Send it in parts.`)

  const visible = visibleStoreIds(entry.account, caller)
  const errors: SheetMistake[] = []
  const fileId = createHash('sha256').update(file).digest('base64url')
  let accepted = 0
  for (const { row, cell } of table.lines) {
    const mistake = await importLine(deps, entry, provider, visible, { cell, lineId: `${fileId} ${row}` })
    if (mistake) errors.push({ row, ...mistake })
    else accepted += 1
  }
  return { accepted, errors }
}

async function readStatusSheets(file: Uint8Array): Promise<Sheet[]> {
  try {
    return await readSheets(file, LIMITS)
  } catch (error) {
    if (error instanceof UnreadableSheet) throw unreadable(error.message)
    throw error
  }
}

async function importLine(
  deps: Deps,
  entry: AccountEntry,
  provider: string,
  visible: readonly string[] | null,
  { cell, lineId }: { cell: (column: Column) => string; lineId: string },
): Promise<Omit<SheetMistake, 'row'> | null> {
  const { account } = entry
  const odd = COLUMNS.known.find((column) => !NO_CONTROLS.test(cell(column)))
  if (odd) return { column: odd, message: 'It contains control characters.' }
  const [number, step, at] = [
    cleanText(cell('consignment_number'), 'code'),
    toName(cleanText(cell('status'), 'code')),
    cleanText(cell('at'), 'code'),
  ]
  if (!isCourierStep(step)) {
    return {
      column: 'status',
      message: `"${cellExcerpt(cell('status'))}" is not a status. Write one of ${COURIER_STEP_NAMES.join(', ')}.`,
    }
  }
  const [known] = await listDeliveriesByConsignment(deps.db, account.id, provider, [number])
  const row = known ? await findDelivery(deps.db, account.id, known.deliveryId) : null
  if (!row || (visible !== null && !visible.includes(row.store_id))) {
    return {
      column: 'consignment_number',
      message: `There is no consignment "${cellExcerpt(number)}" of this courier.`,
    }
  }
  const time = at === '' ? null : parseTimestamp(toIso(at))
  if (at !== '' && !time) {
    return {
      column: 'at',
      message: `"${cellExcerpt(at)}" is not a time. Write 2026-11-24T14:05, in the store’s local time.`,
    }
  }
  const zone = account.storeById.get(row.store_id)?.zone ?? account.zone
  const report = {
    step,
    atMs: time && toInstantMs(time, zone),
    note: cell('note').slice(0, 200) || null,
    // The same list, sent again on the same day, is applied once: its sender may have received no response.
    dedupeKey: `${localDay(zone, entry.nowMs())} ${lineId}`,
  }
  try {
    await reportByHand(deps, entry, row, report, 'csv')
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { column: 'at', message: error.issues[0]?.message ?? error.message }
  }
}

/** `2026-11-24 14:05`, or as Excel writes it in Australia: `24/11/2026 2:05 pm`. */
function toIso(text: string): string {
  const parts = AUSTRALIAN.exec(text)
  if (!parts) return text.replace(' ', 'T')
  const [, day = '', month = '', year = '', hour = '', minute = '', second = '00', half] = parts
  const isHour12 = half !== undefined && Number(hour) >= 1 && Number(hour) <= 12
  if (half !== undefined && !isHour12) return text
  const hour24 = isHour12 ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour)
  const two = (digits: string | number) => String(digits).padStart(2, '0')
  return `${year}-${two(month)}-${two(day)}T${two(hour24)}:${minute}:${second}`
}
const AUSTRALIAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4}),? +(\d{1,2}):(\d\d)(?::(\d\d))?\s*([ap]\.?m\.?)?$/i

function unreadable(message: string): Refusal {
  return notAList([{ row: 1, column: '', message }])
}

function notAList(mistakes: readonly SheetMistake[]): Refusal {
  const issues = mistakes.map(({ row, column, message }) => ({
    field: '',
    issue: 'invalid_value' as const,
    message: column === '' ? message : `Row ${row}: ${message}`,
  }))
  return new Refusal(
    'invalid_request',
    `This is not a list of statuses. ${issues[0]?.message ?? ''}`.trim(),
    {
      issues,
    },
  )
}

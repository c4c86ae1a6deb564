import { instantOf, parseTimestamp } from '../../domain/calendar/timestamp.ts'
import { COURIER_STEP_NAMES, isCourierStep } from '../../domain/delivery/courier-steps.ts'
import { Refusal } from '../../domain/errors.ts'
import { NO_CONTROLS } from '../../domain/text/controls.ts'
import { readCsv } from '../../domain/text/read-csv.ts'
import { findDelivery, listDeliveriesByConsignment } from '../../store/deliveries/deliveries.ts'
import type { AccountEntry } from '../context/account-directory.ts'
import { type Caller, visibleStoreIds } from '../context/caller.ts'
import type { Deps } from '../context/deps.ts'
import { reportByHand } from './report-by-hand.ts'

/** A row that was rejected. `row` counts as spreadsheets do: the header is row 1. */
export type LineMistake = { row: number; column: string; message: string }

const COLUMNS = ['consignment_number', 'status', 'at', 'note'] as const
type Column = (typeof COLUMNS)[number]
/** A day's work of the largest courier that still sends lists. */
const MOST_ROWS = 5_000
/** Twenty columns per row: parsing a mebibyte of commas blocked all other requests. */
const MOST_CELLS = 20 * MOST_ROWS

/**
 * Imports a courier's CSV of delivery statuses. Valid rows are applied, and each invalid row is reported with
 * its column: one invalid row never loses the rest. Refuses `invalid_request` for a file that isn't such a
 * list.
 */
export async function reportByCsv(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  provider: string,
  text: string,
): Promise<{ accepted: number; mistakes: LineMistake[] }> {
  const carrier = deps.carrierOf(entry.account.id, provider)
  if (!carrier) throw new Refusal('not_found', `There is no carrier ${provider}.`)
  if (!carrier.toldByHand) {
    throw new Refusal('carrier_reports_itself', `${provider} tells by itself how far its deliveries are.`)
  }
  const [heads = [], ...rows] = readCsv(text, { rows: MOST_ROWS + 2, cells: MOST_CELLS })
  const at = new Map(COLUMNS.map((column) => [column, heads.map(headOf).indexOf(column)]))
  if (at.get('consignment_number') === -1 || at.get('status') === -1) throw noList()
  if (rows.length > MOST_ROWS) throw noList(`It has over ${MOST_ROWS} lines: send them in parts.`)

  const visible = visibleStoreIds(entry.account, caller)
  const mistakes: LineMistake[] = []
  let accepted = 0
  for (const [index, cells] of rows.entries()) {
    if (cells.every((cell) => cell.trim() === '')) continue
    const cell = (column: Column) => cells[at.get(column) ?? -1]?.trim() ?? ''
    const mistake = await takeLine(deps, entry, provider, visible, cell)
    if (mistake) mistakes.push({ row: index + 2, ...mistake })
    else accepted += 1
  }
  return { accepted, mistakes }
}

async function takeLine(
  deps: Deps,
  entry: AccountEntry,
  provider: string,
  visible: readonly string[] | null,
  cell: (column: Column) => string,
): Promise<Omit<LineMistake, 'row'> | null> {
  const { account } = entry
  const odd = COLUMNS.find((column) => !NO_CONTROLS.test(cell(column)))
  if (odd) return { column: odd, message: 'It contains control characters.' }
  const [number, step, at] = [cell('consignment_number'), cell('status').toLowerCase(), cell('at')]
  if (!isCourierStep(step)) {
    return { column: 'status', message: `"${cell('status')}" is none of ${COURIER_STEP_NAMES.join(', ')}.` }
  }
  const [known] = await listDeliveriesByConsignment(deps.db, account.id, provider, [number])
  const row = known ? await findDelivery(deps.db, account.id, known.deliveryId) : null
  if (!row || (visible !== null && !visible.includes(row.store_id))) {
    return { column: 'consignment_number', message: `There is no consignment "${number}" of this courier.` }
  }
  const time = at === '' ? null : parseTimestamp(at.replace(' ', 'T'))
  if (at !== '' && !time) {
    return { column: 'at', message: `"${at}" is no time: write 2026-11-24T14:05, in the store’s own time.` }
  }
  const zone = account.storeById.get(row.store_id)?.zone ?? account.zone
  const report = { step, atMs: time && instantOf(time, zone), note: cell('note').slice(0, 200) || null }
  try {
    await reportByHand(deps, entry, row, report, 'csv')
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { column: 'at', message: error.issues[0]?.message ?? error.message }
  }
}

function headOf(text: string): string {
  return text.trim().toLowerCase().replaceAll(/[ -]+/g, '_')
}

function noList(
  why = 'Its first line must name the columns consignment_number and status; at and note may follow.',
) {
  return new Refusal('invalid_request', `This is no list of statuses. ${why}`, {
    issues: [{ field: '', issue: 'invalid_value', message: why }],
  })
}

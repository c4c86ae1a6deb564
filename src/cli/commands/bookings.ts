import { Command } from 'commander'
import { Refusal } from '../../domain/errors.ts'
import { compareBookings } from '../../operations/orphaned-bookings/compare-bookings.ts'
import type { CliDeps } from '../deps.ts'
import { readSheetFile } from '../sheet-file.ts'
import { table } from '../table.ts'

const EXAMPLES = `
Run this after a restore to an earlier moment, before the workers start. It says what to do about each booking that a
carrier accepted after that moment. Read docs/operations/backup.md first.

The file is the carrier's list, as CSV, XLSX or text. Drover's key (dlv_…-1) may be in any column. The command counts
the rows without a key: they are headings, or bookings that another system made.

Example:
  drover bookings compare since-friday.csv --account my-shop --carrier auspost`

type Options = { account: string; carrier: string; json?: true }

/** Some carriers show references in capitals. */
const KEYS = /\bdlv_[0-9a-z]{26}-[1-9]\d{0,5}\b/gi

export function bookingsCommand({ withService }: CliDeps): Command {
  const bookings = new Command('bookings')
    .description('Compare carriers’ bookings with the database.')
    .addHelpText('after', EXAMPLES)
  bookings
    .command('compare <file>')
    .description('Compare a carrier’s list of bookings with the database. Changes nothing.')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--carrier <provider>', 'the carrier, as the account document names it')
    .option('--json', 'print JSON')
    .action(async (file: string, { account, carrier, json }: Options) => {
      const { keys, withoutKey } = await readKeys(file)
      const rows = await withService(async (deps) => {
        const entry = await deps.accounts.find(account)
        if (!entry) throw new Refusal('not_found', `There is no account ${account}.`)
        return compareBookings(deps, entry, carrier, keys)
      })
      if (json) return console.log(JSON.stringify({ bookings: rows, rows_without_key: withoutKey }))
      const cells = rows.map(({ key, reference, action, reason }) => [
        ...[key, reference ?? '', action === 'cancel' ? 'cancel it there' : 'nothing', reason],
      ])
      console.log(table(['booking', 'order', 'what to do', 'why'], cells))
      console.log(`Rows without a Drover key: ${withoutKey}.`)
    })
  return bookings
}

/** The keys of a list, each once. Throws if it has none. */
async function readKeys(file: string): Promise<{ keys: string[]; withoutKey: number }> {
  const rows = (await readSheetFile(file)).flatMap((sheet) => sheet.rows)
  const found = rows.map(({ cells }) =>
    cells.flatMap((cell) => cell.match(KEYS) ?? []).map((key) => key.toLowerCase()),
  )
  const keys = [...new Set(found.flat())]
  if (keys.length === 0)
    throw new Error(
      `${file} contains no Drover key. Use a list that has the references that Drover sent, such as dlv_…-1.`,
    )
  return { keys, withoutKey: found.filter(({ length }) => length === 0).length }
}

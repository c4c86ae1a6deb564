import { Command } from 'commander'
import { planText } from '../../domain/account/plan.ts'
import { rateCardSheet, readRateCardSheet } from '../../domain/account/rate-card-sheet.ts'
import type { SamplePrice } from '../../domain/quoting/rate-card-samples.ts'
import { formatDollars } from '../../domain/text/format-dollars.ts'
import { csvText } from '../../domain/text/write-csv.ts'
import { type CardOf, exportRateCard, importRateCard } from '../../operations/accounts/rate-cards.ts'
import { newId } from '../../operations/new-id.ts'
import type { CliDeps } from '../deps.ts'
import { Refused } from '../failure.ts'
import { readSheetFile, writeSheetFile } from '../sheet-file.ts'
import { commandRecord, loginName } from './record.ts'

const EXAMPLES = `
Examples:
  drover rate-card import bob-2027.xlsx --account shop --carrier bob --service VAN --dry-run
  drover rate-card import bob-2027.csv --account shop --carrier bob --service VAN
  drover rate-card export bob.xlsx --account shop --carrier bob --service VAN
  drover rate-card export - --account shop --carrier bob --service VAN      CSV on standard output

Columns: kind, zone, postcodes, up_to_kg, price, per_extra_kg, name, when, percent. Kinds of rows: zone, rate, surcharge.`

type Options = { account: string; carrier: string; service: string; dryRun?: boolean }

export function rateCardCommand(deps: CliDeps): Command {
  const rateCard = new Command('rate-card')
    .description('Price lists of couriers, as CSV or XLSX.')
    .addHelpText('after', EXAMPLES)
  named(rateCard.command('import <file>'))
    .description('Import a price list, all of it or nothing. Mistakes are named by row and column.')
    .option('--dry-run', 'only show what would change')
    .action(async (file: string, options: Options) => {
      const { card, mistakes } = readRateCardSheet(await readSheetFile(file))
      if (!card) {
        for (const { row, column, message } of mistakes)
          console.error(`${file}:${row}  ${column}  ${message}`)
        throw new Refused()
      }
      const { dryRun = false } = options
      const { version, changed, plan, before, after } = await deps.withDatabase(({ db }) =>
        importRateCard({ db, newId }, namedBy(options), card, {
          dryRun,
          by: `cli:${loginName()}`,
          record: commandRecord('importRateCard'),
        }),
      )
      for (const line of plan) console.log(planText(line))
      for (const [index, sample] of after.entries())
        console.log(sampleText(sample, before[index]?.cents ?? null))
      if (!changed) console.log(`No changes: version ${version} of ${options.account} is the same.`)
      else if (dryRun)
        console.log(`Nothing was applied. It would be version ${version} of ${options.account}.`)
      else console.log(`Version ${version} of ${options.account} is in use.`)
    })
  named(rateCard.command('export <file>'))
    .description('Write the price list in use; - writes CSV to standard output.')
    .action(async (file: string, options: Options) => {
      const card = await deps.withDatabase(({ db }) => exportRateCard({ db }, namedBy(options)))
      const rows = rateCardSheet(card)
      if (file === '-') process.stdout.write(csvText(rows))
      else await writeSheetFile(file, rows)
    })
  return rateCard
}

/** `20 kg to 3220 (country): $31.50, until now $28.90`. */
function sampleText({ postCode, zone, kg, cents }: SamplePrice, beforeCents: number | null): string {
  const now = cents === null ? 'not carried' : formatDollars(cents)
  const until =
    beforeCents === cents
      ? 'as before'
      : `until now ${beforeCents === null ? 'no price' : formatDollars(beforeCents)}`
  return `Sample: ${kg} kg to ${postCode} (${zone}): ${now}, ${until}`
}

function named(command: Command): Command {
  return command
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--carrier <provider>', 'the carrier, as the account document names it')
    .requiredOption('--service <service>', 'its service')
}

function namedBy({ account, carrier, service }: Options): CardOf {
  return { accountId: account, provider: carrier, service }
}

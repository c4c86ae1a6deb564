import { Command, InvalidArgumentError } from 'commander'
import { stringify } from 'yaml'
import { planText } from '../../domain/account/plan.ts'
import { type AccountWarning, accountWarnings } from '../../domain/account/validation/account-warnings.ts'
import {
  type Applied,
  applyAccount,
  exportAccount,
  listAccountMistakes,
} from '../../operations/accounts/apply-account.ts'
import { newId } from '../../operations/new-id.ts'
import { readDocument } from '../account-file.ts'
import type { CliDeps } from '../deps.ts'
import { Refused } from '../failure.ts'
import { printMistakes } from '../mistakes.ts'
import { commandRecord, loginName } from './record.ts'

const EXAMPLES = `
Examples:
  drover account validate examples/demo-account.yaml
  drover account plan my-account.yaml
  drover account apply my-account.yaml --dry-run
  drover account export demo > demo.yaml

FILE is YAML or JSON; - reads standard input.`

/** People do not read the whole plan of a large chain. */
const PLAN_LINES = 200

type Options = { json?: true; dryRun?: boolean; expectVersion?: number }

export function accountCommand(deps: CliDeps): Command {
  const account = new Command('account')
    .description('Accounts as code: one document describes one account.')
    .addHelpText('after', EXAMPLES)
  account
    .command('apply <file>')
    .description('Show the plan, then apply all of it or nothing.')
    .option('--dry-run', 'only show the plan')
    .option(
      '--expect-version <n>',
      'apply only if this is the current version (0: no version yet)',
      versionIn,
    )
    .option('--json', 'print JSON')
    .action(async (file: string, { json, dryRun = false, expectVersion }: Options) => {
      printApplied(
        await apply(deps, file, { dryRun, expectVersion: expectVersion ?? null, json }),
        json,
        dryRun,
      )
    })
  account
    .command('plan <file>')
    .description('Show what apply would change. Changes nothing.')
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: Options) => {
      printApplied(await apply(deps, file, { dryRun: true, expectVersion: null, json }), json, true)
    })
  account
    .command('validate <file>')
    .description('Name every mistake with its line and remedy. Needs no database.')
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: Options) => {
      const { found, document } = await readGood(file, json)
      const warnings = accountWarnings(document)
      if (json) console.log(JSON.stringify({ mistakes: [], warnings }))
      else {
        printWarnings(warnings)
        console.log(`${found} is good.`)
      }
    })
  account
    .command('export <id>')
    .description('Print the document in use, as YAML.')
    .option('--json', 'print JSON')
    .action((id: string, { json }: Options) =>
      deps.withDatabase(async ({ db }) => {
        const { document } = await exportAccount({ db }, id)
        process.stdout.write(
          json ? `${JSON.stringify(document, null, 2)}\n` : stringify(document, { lineWidth: 0 }),
        )
      }),
    )
  return account
}

function versionIn(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Write the number of the version, such as 3.')
}

async function apply(
  deps: CliDeps,
  file: string,
  { json, ...options }: { dryRun: boolean; expectVersion: number | null; json: true | undefined },
): Promise<Applied & { tenantId: string }> {
  const { document } = await readGood(file, json)
  const { tenant_id: tenantId } = document as { tenant_id: string }
  const applied = await deps.withDatabase(({ db }) =>
    applyAccount({ db, newId }, document, {
      ...options,
      by: `cli:${loginName()}`,
      record: commandRecord('applyAccount'),
    }),
  )
  return { ...applied, tenantId }
}

async function readGood(file: string, json: true | undefined): Promise<{ found: string; document: unknown }> {
  const source = await readDocument(file)
  const ofDocument = source.readable ? source.locate(await listAccountMistakes(source.document)) : []
  const mistakes = [...source.mistakes, ...ofDocument]
  if (mistakes.length === 0) return { found: source.name, document: source.document }
  printMistakes(source.name, mistakes, json)
  throw new Refused()
}

function printWarnings(warnings: readonly AccountWarning[]): void {
  for (const { field, message } of warnings) console.error(`Warning: ${field}: ${message}`)
}

function printApplied(
  applied: Applied & { tenantId: string },
  json: true | undefined,
  dryRun: boolean,
): void {
  const { version, changed, plan, warnings, tenantId } = applied
  if (json) {
    console.log(
      JSON.stringify({ tenant_id: tenantId, version, changed, applied: changed && !dryRun, plan, warnings }),
    )
    return
  }
  for (const line of plan.slice(0, PLAN_LINES)) console.log(planText(line))
  if (plan.length > PLAN_LINES) console.log(`… and ${plan.length - PLAN_LINES} more`)
  printWarnings(warnings)
  if (!changed) console.log(`No changes: version ${version} of ${tenantId} is the same.`)
  else if (dryRun) console.log(`Nothing was applied. It would be version ${version} of ${tenantId}.`)
  else console.log(`Version ${version} of ${tenantId} is in use.`)
}

import { Command } from 'commander'
import { type CarrierCheck, checkCarrier, checkCarriers } from '../../operations/carriers/check-carrier.ts'
import { switchOff, switchOn } from '../../operations/carriers/switch-carrier.ts'
import type { Deps } from '../../operations/deps.ts'
import type { AccountEntry } from '../../operations/directory/account-directory.ts'
import type { CliDeps } from '../deps.ts'
import { Refused } from '../failure.ts'
import { table } from '../table.ts'
import { commandRecord } from './record.ts'

const EXAMPLES = `
Examples:
  drover carrier check                                   every carrier of every account
  drover carrier check --account my-shop
  drover carrier check auspost --account my-shop --json
  drover carrier off auspost --account my-shop --reason "no van today" --replan
  drover carrier on auspost --account my-shop

Exit code 1 if Drover cannot sign in to one of them.`

type Options = { account?: string; json?: true }
type SwitchOptions = { account: string; reason?: string; replan?: true; decommissioned?: true }
type AccountCheck = CarrierCheck & { account: string }

export function carrierCommand(deps: CliDeps): Command {
  const carrier = new Command('carrier')
    .description('Check carriers, and switch them off and on.')
    .addHelpText('after', EXAMPLES)
  carrier
    .command('check [provider]')
    .description('Check an account’s logins at its carriers, and report what is wrong. Books nothing.')
    .option('--account <id>', 'the account; without it, all accounts')
    .option('--json', 'print JSON')
    .action(async (provider: string | undefined, { account, json }: Options) => {
      const result = await deps.withService(async (service) => {
        const ids = account ? [account] : service.accounts.list().map(({ accountId }) => accountId)
        const checked: AccountCheck[] = []
        for (const id of ids) {
          const entry = await entryOf(service, id)
          if (provider && !account && !entry.account.carrierByProvider.has(provider)) continue
          const checks = provider
            ? [await checkCarrier(service, entry, provider)]
            : await checkCarriers(service, entry)
          checked.push(...checks.map((check) => ({ account: id, ...check })))
        }
        if (provider && checked.length === 0)
          throw new Error(
            `No account has a carrier called ${provider}. To list all carriers: drover carrier check`,
          )
        return checked
      })
      if (json) console.log(JSON.stringify(result))
      else
        console.log(
          table(
            ['account', 'carrier', '', ''],
            result.map(({ account, provider, ok, message }) => [
              account,
              provider,
              ok ? 'good' : 'wrong',
              message,
            ]),
          ),
        )
      if (result.some(({ ok }) => !ok)) throw new Refused()
    })
  carrier
    .command('off <provider>')
    .description('Stop using a carrier. Quotes leave it out; deliveries that no other carrier can take wait.')
    .requiredOption('--account <id>', 'the account')
    .option('--reason <text>', 'the reason, as people see it')
    .option('--replan', 'also cancel its uncollected deliveries and plan them again')
    .option(
      '--decommissioned',
      'the carrier will collect nothing more: plan all its deliveries again, even without its answer',
    )
    .action(async (provider: string, { account, reason, replan, decommissioned }: SwitchOptions) => {
      const result = await deps.withService(async (service) =>
        switchOff(
          service,
          await entryOf(service, account),
          provider,
          { reason: reason ?? null, replan: replan ?? null, decommissioned: decommissioned ?? false },
          commandRecord('switchCarrier'),
        ),
      )
      console.log(
        `${result.name} is off. ${result.uncollected.length} not collected, ${result.pendingCancellation} being cancelled.`,
      )
    })
  carrier
    .command('on <provider>')
    .description('Use a carrier again.')
    .requiredOption('--account <id>', 'the account')
    .action(async (provider: string, { account }: SwitchOptions) => {
      const result = await deps.withService(async (service) =>
        switchOn(service, await entryOf(service, account), provider, commandRecord('switchCarrier')),
      )
      console.log(`${result.name} is on.`)
    })
  return carrier
}

async function entryOf({ accounts }: Pick<Deps, 'accounts'>, account: string): Promise<AccountEntry> {
  const entry = await accounts.find(account)
  if (!entry) throw new Error(`There is no account ${account}.`)
  return entry
}

import { Command, CommanderError } from 'commander'

import { accountCommand } from './commands/account.ts'
import { afterRestoreCommand } from './commands/after-restore.ts'
import { archiveCommand } from './commands/archive.ts'
import { bookingsCommand } from './commands/bookings.ts'
import { carrierCommand } from './commands/carrier.ts'
import { clientCommand } from './commands/client.ts'
import { completionCommand } from './commands/completion.ts'
import { deliveryCommand } from './commands/delivery.ts'
import { doctorCommand } from './commands/doctor.ts'
import { eventsCommand } from './commands/events.ts'
import { fakeCommand } from './commands/fake.ts'
import { migrateCommand } from './commands/migrate.ts'
import { quoteCommand } from './commands/quote.ts'
import { rateCardCommand } from './commands/rate-card.ts'
import { secretCommand } from './commands/secret.ts'
import { userCommand } from './commands/user.ts'
import type { CliDeps } from './deps.ts'
import { exitCodeOf, explain } from './failure.ts'
import { VERSION } from './version.ts'

const EXAMPLES = `
Examples:
  drover start                                  everything in one process, with its own database
  drover account validate my-account.yaml       every mistake with its line and remedy
  drover account apply my-account.yaml          shows the plan and applies it
  drover client create --account demo --name "Web shop" --scope quotes
  drover user invite ada@shop.example --account demo --role merchant_admin
  drover quote --store melbourne-cbd --to "Carlton VIC 3053" --parcel 30x20x15,3.2
  drover delivery list --status on_hold         deliveries that wait for a person
  drover doctor                                 what is wrong with this set-up
  drover fake auspost --port 4010               a fake of a carrier's API
  source <(drover completion bash)              names complete with Tab

Exit codes: 0 done, 1 refused (the message says why), 2 not understood or not possible here.`

/** Runs one command line (without the program's own name) and returns its exit code. */
export async function runCommand(args: readonly string[], deps: CliDeps): Promise<number> {
  try {
    await program(deps).parseAsync([...args], { from: 'user' })
    return 0
  } catch (error) {
    // Commander has already printed its own message; help and version are not failures.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    explain(error)
    return exitCodeOf(error)
  }
}

function program(deps: CliDeps): Command {
  const drover = new Command('drover')
    .description('Delivery orchestration for merchants with stores.')
    .version(VERSION)
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(drover --help lists the commands)')
  drover
    .command('start')
    .description('Run the API, the worker and the database in one process.')
    .action(deps.start)
  drover.command('api').description('Run only the API; DATABASE_URL names the database.').action(deps.api)
  drover
    .command('worker')
    .description('Run only the worker; DATABASE_URL names the database.')
    .action(deps.worker)
  drover.addCommand(migrateCommand(deps))
  drover.addCommand(accountCommand(deps))
  drover.addCommand(clientCommand(deps))
  drover.addCommand(userCommand(deps))
  drover.addCommand(secretCommand(deps))
  drover.addCommand(carrierCommand(deps))
  drover.addCommand(rateCardCommand(deps))
  drover.addCommand(deliveryCommand(deps))
  drover.addCommand(quoteCommand())
  drover.addCommand(eventsCommand())
  drover.addCommand(archiveCommand(deps))
  drover.addCommand(doctorCommand(deps))
  drover.addCommand(afterRestoreCommand(deps))
  drover.addCommand(bookingsCommand(deps))
  drover.addCommand(fakeCommand())
  drover.addCommand(completionCommand(() => drover))
  return throwing(drover)
}

/** Only `main.ts` ends the process. */
function throwing(command: Command): Command {
  command.exitOverride()
  for (const inner of command.commands) throwing(inner as Command)
  return command
}

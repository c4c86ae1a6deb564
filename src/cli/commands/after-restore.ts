import { Command, InvalidArgumentError } from 'commander'
import { parseTimestamp } from '../../domain/calendar/timestamp.ts'
import { prepareAfterRestore } from '../../operations/restore/after-restore.ts'
import type { CliDeps } from '../deps.ts'

const EXAMPLES = `
Run it once the database is restored, before any Drover process starts. It
- moves the event feed beyond the cursors of the lost period;
- makes the workers look up each open delivery before they book it. If no carrier with a lookup has a delivery, and a
  carrier without one may have it, the delivery goes on hold until a person has asked that carrier.
You can run it again: after an interruption, it continues where it stopped. Read docs/operations/backup.md first.

Examples:
  drover after-restore --moment 2026-11-21T16:30:00Z
  drover after-restore --moment 2026-11-21T16:30:00Z --none-at big_haul`

type Options = { moment: number; noneAt: readonly string[]; json?: true }

export function afterRestoreCommand({ withService }: CliDeps): Command {
  return new Command('after-restore')
    .description(
      'Prepare a database that was restored to an earlier moment, so that no delivery in it is booked twice.',
    )
    .requiredOption(
      '--moment <instant>',
      'the moment that the database was restored to, such as 2026-11-21T16:30:00Z',
      toMoment,
    )
    .option(
      '--none-at <provider>',
      'a carrier whose staff say that they have no bookings made after the moment. Give it on the first run. Repeat the option for each such carrier',
      (given: string, before: readonly string[]) => [...before, given],
      [],
    )
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(({ moment, noneAt, json }: Options) =>
      withService(async (deps) => {
        const withoutBookings = new Set(noneAt)
        const { toLookUp, toAskStaff } = await prepareAfterRestore(deps, {
          momentMs: moment,
          withoutBookings,
        })
        if (json) return console.log(JSON.stringify({ to_look_up: toLookUp, to_ask_staff: toAskStaff }))
        console.log('Moved the event feed beyond every cursor of the lost period.')
        console.log(`Deliveries that the workers will look up before they book them: ${toLookUp}.`)
        if (toAskStaff === 0) return
        console.log(
          `Of these, ${toAskStaff} may be with a carrier that has no lookup. If no other carrier has them, they go on hold: ask that carrier, then record its answer.`,
        )
      }),
    )
}

/** Also as PostgreSQL's `recovery_target_time` has it, with a space. */
function toMoment(given: string): number {
  const moment = parseTimestamp(given.replace(' ', 'T'))
  if (moment?.kind !== 'instant')
    throw new InvalidArgumentError('Use an instant with its zone, such as 2026-11-21T16:30:00Z.')
  if (moment.ms > Date.now())
    throw new InvalidArgumentError('It is in the future. Use the moment that the database was restored to.')
  return moment.ms
}

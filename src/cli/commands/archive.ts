import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import type { ArchivedMonth } from '../../operations/archive/archive-months.ts'
import type { ArchivePlace, CliDeps } from '../deps.ts'
import { textFor } from '../failure.ts'

const EXAMPLES = `
For each account, writes the months that ended at least 60 days ago and that the archive doesn’t have yet. Run it every
night. You can stop it at any time and run it again. The files have no personal data: docs/operations/archive.md lists
their columns.

For a bucket, set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION; AWS_ENDPOINT_URL_S3 for a service other than
Amazon S3.

Examples:
  drover archive --to /var/lib/drover-archive
  drover archive --to s3://drover-archive/production --account demo`

type Options = { to: ArchivePlace; account?: string; json?: true }

export function archiveCommand({ archiveStorage, withDatabase }: CliDeps): Command {
  return new Command('archive')
    .description('Write past months as Parquet files, for analysis and long-term storage.')
    .requiredOption('--to <place>', 'a folder, or s3://bucket/prefix', toPlace)
    .option('--account <id>', 'only this account')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async ({ to, account, json }: Options) => {
      const storage = archiveStorage(to)
      // Loaded for this command only.
      const { archiveMonths } = await import('../../operations/archive/archive-months.ts')
      const months: ArchivedMonth[] = []
      try {
        await withDatabase(({ db }) =>
          archiveMonths({
            db,
            storage,
            accountId: account ?? null,
            nowMs: Date.now(),
            onMonth: (archived) => {
              months.push(archived)
              const { accountId, month, deliveries, bytes } = archived
              if (!json)
                console.log(`${accountId} ${month}: ${deliveries} deliveries, ${Math.ceil(bytes / 1_000)} kB`)
            },
            onFailure: (accountId, error) =>
              console.error(`${accountId} could not be archived: ${textFor(error)}`),
          }),
        )
      } finally {
        // Also what was written before a failure.
        if (json) console.log(JSON.stringify({ months }))
      }
      if (!json && months.length === 0)
        console.log('Nothing to do: the archive already has every month that ended at least 60 days ago.')
    })
}

function toPlace(given: string): ArchivePlace {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(given)) return { folder: resolve(given) }
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(given) ?? []
  if (bucket === undefined)
    throw new InvalidArgumentError('Use a folder, or s3://bucket/prefix with the name of a bucket.')
  return { bucket, prefix }
}

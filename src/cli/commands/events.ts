import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { table } from '../table.ts'
import { type Api, type ApiOptions, NoAnswer, ProblemAnswer, signIn, withApiOptions } from './api.ts'
import { pathOf, queryOf } from './delivery.ts'

const EXAMPLES = `
Examples:
  drover events order-1001            the timeline of one delivery
  drover events                       all events of the account, oldest first
  drover events --follow --json       also new events, one line of JSON each, until Ctrl-C`

type Options = ApiOptions & { store?: string; after?: string; follow?: true; json?: true }
type TimelineStep = {
  at: string
  type: string
  source: string
  to?: string
  sub_status?: string
  detail?: string
}
type FeedEvent = {
  id: string
  type: string
  timestamp: string
  data: { reference?: string; status?: string; sub_status?: string; detail?: string }
}

const PAGE = '200'
const POLL_MS = 1_000
/** How often `--follow` tries again while the service does not respond. */
const RETRY_MS = 5_000
type FeedPage = { data: FeedEvent[]; pagination: { next: string | null; has_more: boolean } }

export function eventsCommand(): Command {
  return withApiOptions(
    new Command('events').argument('[delivery]', 'id or reference; without it, the whole account'),
  )
    .description('Show the events of one delivery or of the account.')
    .option('--store <reference>', 'the store, where two use a reference')
    .option('--follow', 'continue with new events')
    .option('--after <cursor>', 'continue after an earlier cursor')
    .option('--json', 'print JSON; for the account, a line for each event')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, options: Options) => {
      const api = await signIn(options)
      if (name === undefined) await printFeed(api, options)
      else if (options.follow) throw new Error('--follow is for the whole account; leave the delivery out.')
      else await printTimeline(api, name, options)
    })
}

async function printTimeline(api: Api, name: string, { store, json }: Options): Promise<void> {
  const path = `${pathOf(name)}/events${queryOf({ store_reference: store })}`
  const { data }: { data: TimelineStep[] } = await api.json('GET', path)
  if (json) {
    console.log(JSON.stringify(data))
    return
  }
  const rows = data.map((step) => [
    step.at,
    step.type.replace('delivery.', ''),
    step.to ?? '',
    step.source,
    [step.sub_status, step.detail].filter(Boolean).join(': '),
  ])
  console.log(table(['At', 'What', 'Status', 'By', 'Sent'], rows))
}

async function printFeed(api: Api, { after, follow, json }: Options): Promise<void> {
  const read = (cursor: string | undefined): Promise<FeedPage> =>
    api.json('GET', `/events${queryOf({ limit: PAGE, after: cursor })}`)
  let cursor = after
  let page = await read(cursor)
  for (;;) {
    for (const event of page.data) console.log(json ? JSON.stringify(event) : formatEvent(event))
    cursor = page.pagination.next ?? cursor
    if (!page.pagination.has_more) {
      if (!follow) return
      await sleep(POLL_MS)
    }
    page = await (follow ? readUntilAnswered(() => read(cursor)) : read(cursor))
  }
}

/** Prints the first error, then retries until the service responds. */
async function readUntilAnswered(read: () => Promise<FeedPage>): Promise<FeedPage> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof Error) || !isTemporary(error)) throw error
      if (isFirst) console.error(`${error.message}\nTrying again every ${RETRY_MS / 1000} seconds.`)
      await sleep(RETRY_MS)
    }
  }
}

function isTemporary(error: Error): boolean {
  if (error instanceof ProblemAnswer) return error.status === 429 || error.status >= 500
  return error instanceof NoAnswer
}

function formatEvent({
  timestamp,
  type,
  data: { reference, status, sub_status, detail },
}: FeedEvent): string {
  const detailText = [sub_status, detail].filter(Boolean).join(': ')
  return [timestamp, type.padEnd(24), reference ?? '', status ?? '', detailText].filter(Boolean).join('  ')
}

import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { Refusal } from '../domain/errors.ts'
import type { Caller } from '../operations/caller.ts'
import { eraseDelivery } from '../operations/erase-delivery.ts'
import { getDelivery } from '../operations/get-delivery.ts'
import { type ApiOptions, signIn, withApiOptions } from './api.ts'
import { type DecisionShown, type DeliveryShown, decisionText, deliveryText } from './delivery-text.ts'
import type { CliDeps } from './deps.ts'
import { commandRecord } from './record.ts'
import { table } from './table.ts'
import { windowWords } from './words.ts'

const EXAMPLES = `
A delivery is named by its id or by its reference.

Examples:
  drover delivery list --status on_hold
  drover delivery get order-1001
  drover delivery label order-1001 --out label.pdf
  drover delivery decision order-1001 --account my-shop --client client_3f0c…
  drover delivery erase order-1001 --account my-shop`

type Options = ApiOptions & { json?: true; store?: string }
type EraseOptions = { account: string; store?: string; json?: true }
type ListOptions = Options & { status?: string; q?: string; limit: string; after?: string }

export function deliveryCommand(deps: CliDeps): Command {
  const delivery = new Command('delivery')
    .description('Deliveries of a running service.')
    .addHelpText('after', EXAMPLES)
  verb(delivery, 'list', 'The newest deliveries.')
    .option('--status <status>', 'only these, e.g. on_hold')
    .option('--q <text>', 'part of the reference, consignment number or name')
    .option('--limit <n>', 'at most so many, 200 or fewer', '50')
    .option('--after <cursor>', 'go on after an earlier page')
    .action(async (options: ListOptions) => printList(await list(options), options))
  verb(delivery, 'get <delivery>', 'One delivery as it stands.').action(
    async (name: string, options: Options) => print(await ask('GET', name, '', options), options),
  )
  verb(delivery, 'label <delivery>', 'Fetch the label.')
    .requiredOption('--out <file>', 'where it goes; - is standard output')
    .option('--format <format>', 'pdf or zpl', 'pdf')
    .action(async (name: string, { out, format, ...options }: Options & { out: string; format: string }) => {
      const api = await signIn(options)
      const label = await api.bytes(
        `${pathOf(name)}/label${queryOf({ format, store_reference: options.store })}`,
      )
      if (out === '-') process.stdout.write(label)
      else await writeFile(out, label)
      if (out !== '-' && !options.json) console.log(`Wrote ${out} (${label.length} bytes).`)
      if (out !== '-' && options.json) console.log(JSON.stringify({ file: out, bytes: label.length }))
    })
  verb(delivery, 'book <delivery>', 'Book a requested delivery now.').action(
    async (name: string, options: Options) => print(await ask('PATCH', name, '/book', options), options),
  )
  verb(delivery, 'cancel <delivery>', 'Cancel a delivery, at its carrier too.')
    .option('--reason <words>', 'why')
    .action(async (name: string, options: Options & { reason?: string }) => {
      const body = options.reason === undefined ? {} : { reason: options.reason }
      print(await ask('PATCH', name, '/request-cancel', options, body), options)
    })
  verb(
    delivery,
    'decision <delivery>',
    'Why this carrier: each service that was weighed, each that was asked.',
  ).action(async (name: string, options: Options) => {
    const decision: DecisionShown = await ask('GET', name, '/decision', options)
    console.log(options.json ? JSON.stringify(decision) : decisionText(decision))
  })
  delivery
    .command('erase <delivery>')
    .description(
      'Erase the customer of a delivery that has ended, on the database itself; nothing brings it back.',
    )
    .requiredOption('--account <id>', 'the account')
    .option('--store <reference>', 'the store, where two use a reference')
    .option('--json', 'print JSON')
    .action((name: string, options: EraseOptions) => erase(deps, name, options))
  return delivery
}

function erase({ withService }: CliDeps, name: string, options: EraseOptions): Promise<void> {
  const { account: accountId, store: storeReference = null, json } = options
  return withService(async (deps) => {
    const entry = deps.accounts.find(accountId)
    if (!entry) throw new Refusal('not_found', `There is no account ${accountId}.`)
    const { id } = await getDelivery(deps, entry, EVERYWHERE, { idOrReference: name, storeReference })
    await eraseDelivery(deps, entry, id, commandRecord('eraseDelivery'))
    console.log(json ? JSON.stringify({ delivery_id: id }) : `Erased the customer of delivery ${id}.`)
  })
}

/** Whoever can reach the database sees every store. */
const EVERYWHERE: Caller = { clientId: 'command', scopes: new Set(), storeReferences: null }

function verb(delivery: Command, name: string, description: string): Command {
  return withApiOptions(delivery.command(name).description(description))
    .option('--store <reference>', 'the store, where two use a reference')
    .option('--json', 'print JSON')
}

async function ask(method: string, name: string, rest: string, options: Options, body?: unknown) {
  const api = await signIn(options)
  const path = `${pathOf(name)}${rest}${queryOf({ store_reference: options.store })}`
  return (await api.json(method, path, body)).data
}

function print(delivery: DeliveryShown, { json }: Options): void {
  console.log(json ? JSON.stringify(delivery) : deliveryText(delivery))
}

async function list({ store, status, q, limit, after, ...options }: ListOptions) {
  const api = await signIn(options)
  return api.json('GET', `/deliveries${queryOf({ store_reference: store, status, q, limit, after })}`)
}

function printList(
  page: { data: DeliveryShown[]; pagination: { next: string | null; has_more: boolean } },
  { json }: Options,
): void {
  if (json) {
    console.log(JSON.stringify(page))
    return
  }
  const rows = page.data.map(
    ({ reference, store_reference, status, carrier_provider, from_datetime, to_datetime }) => [
      reference,
      store_reference,
      status,
      carrier_provider ?? '',
      windowWords(from_datetime, to_datetime),
    ],
  )
  console.log(
    rows.length === 0 ? 'None.' : table(['Reference', 'Store', 'Status', 'Carrier', 'Arrives'], rows),
  )
  if (page.pagination.has_more) console.log(`\nMore: --after ${page.pagination.next}`)
}

export function pathOf(name: string): string {
  return `/deliveries/${encodeURIComponent(name)}`
}

export function queryOf(values: Record<string, string | undefined>): string {
  const given = Object.entries(values).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, value]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import { Refusal } from '../../domain/errors.ts'
import { eraseDelivery } from '../../operations/deliveries/erase-delivery.ts'
import { resumeDelivery } from '../../operations/deliveries/resume-delivery.ts'
import { getDelivery } from '../../operations/delivery-lookup/get-delivery.ts'
import type { Deps } from '../../operations/deps.ts'
import type { AccountEntry } from '../../operations/directory/account-directory.ts'
import type { Caller } from '../../operations/directory/caller.ts'
import { confirm } from '../confirm.ts'
import {
  type DecisionShown,
  type DeliveryShown,
  decisionText,
  deliveryText,
  windowPlace,
} from '../delivery-text.ts'
import type { CliDeps } from '../deps.ts'
import { windowWords } from '../format.ts'
import { table } from '../table.ts'
import { type ApiOptions, signIn, withApiOptions } from './api.ts'
import { commandRecord } from './record.ts'

const EXAMPLES = `
A delivery is named by its id or by its reference.

Examples:
  drover delivery list --status on_hold
  drover delivery get order-1001
  drover delivery label order-1001 --out label.pdf
  drover delivery decision order-1001 --account my-shop --client client_3f0c…
  drover delivery resume order-1001 --account my-shop
  drover delivery erase order-1001 --account my-shop --yes`

type Options = ApiOptions & { json?: true; store?: string }
type EraseOptions = HereOptions & { yes?: true }
type HereOptions = { account: string; store?: string; json?: true }
type ListOptions = Options & { status?: string; q?: string; limit: string; after?: string }

export function deliveryCommand(deps: CliDeps): Command {
  const delivery = new Command('delivery')
    .description('Deliveries of a running service.')
    .addHelpText('after', EXAMPLES)
  verb(delivery, 'list', 'The newest deliveries.')
    .option('--status <status>', 'only these, e.g. on_hold')
    .option('--q <text>', 'part of the reference, consignment number or name')
    .option('--limit <n>', 'at most this many, up to 200', '50')
    .option('--after <cursor>', 'continue after an earlier page')
    .action(async (options: ListOptions) => printList(await list(options), options))
  verb(delivery, 'get <delivery>', 'Show one delivery.').action(async (name: string, options: Options) =>
    print(await ask('GET', name, '', options), options),
  )
  verb(delivery, 'label <delivery>', 'Fetch the label.')
    .requiredOption('--out <file>', 'the file to write; - is standard output')
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
  verb(delivery, 'book <delivery>', 'Book a requested delivery now.')
    .option('--quote-id <quote_id>', 'book the price and window that `drover quote --hold` printed')
    .action(async (name: string, options: Options & { quoteId?: string }) => {
      const body = options.quoteId === undefined ? {} : { quote_id: options.quoteId }
      print(await ask('PATCH', name, '/book', options, body), options)
    })
  verb(delivery, 'cancel <delivery>', 'Cancel a delivery, at its carrier too.')
    .option('--reason <text>', 'why')
    .action(async (name: string, options: Options & { reason?: string }) => {
      const body = options.reason === undefined ? {} : { reason: options.reason }
      print(await ask('PATCH', name, '/request-cancel', options, body), options)
    })
  verb(
    delivery,
    'decision <delivery>',
    'Why this carrier: each service that was considered, each carrier that was tried.',
  ).action(async (name: string, options: Options) => {
    const decision: DecisionShown = await ask('GET', name, '/decision', options)
    if (options.json) return console.log(JSON.stringify(decision))
    const shown: DeliveryShown = await ask('GET', name, '', options)
    console.log(decisionText(decision, windowPlace(shown)))
  })
  verbHere(
    delivery,
    'resume <delivery>',
    'Put a dead-lettered delivery back in the queue, directly in the database.',
  ).action((name: string, options: HereOptions) => resume(deps, name, options))
  verbHere(
    delivery,
    'erase <delivery>',
    'Erase the customer’s data of a delivery that has ended, directly in the database. This cannot be undone.',
  )
    .option('--yes', 'erase without a confirmation')
    .action((name: string, options: EraseOptions) => erase(deps, name, options))
  return delivery
}

function resume(cli: CliDeps, name: string, options: HereOptions): Promise<void> {
  return withDelivery(cli, name, options, async (deps, entry, { id, reference, status }) => {
    const resumed = await resumeDelivery(deps, entry, id, commandRecord('resumeDelivery'))
    const message = resumed
      ? `Delivery ${reference} is ${status} and back in the queue.`
      : `Delivery ${reference} is ${status} and was not dead-lettered: nothing was done.`
    console.log(options.json ? JSON.stringify({ delivery_id: id, resumed }) : message)
  })
}

function erase(cli: CliDeps, name: string, options: EraseOptions): Promise<void> {
  return withDelivery(cli, name, options, async (deps, entry, { id, reference }) => {
    if (!options.yes) await confirm(`Erase the customer's data from ${reference}? This cannot be undone.`)
    await eraseDelivery(deps, entry, id, commandRecord('eraseDelivery'))
    console.log(
      options.json ? JSON.stringify({ delivery_id: id }) : `Erased the customer’s data of delivery ${id}.`,
    )
  })
}

function withDelivery(
  { withService }: CliDeps,
  idOrReference: string,
  options: HereOptions,
  use: (deps: Deps, entry: AccountEntry, delivery: Delivery) => Promise<void>,
): Promise<void> {
  const { account: accountId, store: storeReference = null } = options
  return withService(async (deps) => {
    const entry = await deps.accounts.find(accountId)
    if (!entry) throw new Refusal('not_found', `There is no account ${accountId}.`)
    await use(deps, entry, await getDelivery(deps, entry, EVERYWHERE, { idOrReference, storeReference }))
  })
}

/** A person who can reach the database may see every store. */
const EVERYWHERE: Caller = { clientId: 'command', scopes: new Set(), storeReferences: null }

function verb(delivery: Command, name: string, description: string): Command {
  return withApiOptions(delivery.command(name).description(description))
    .option('--store <reference>', 'the store, where two use a reference')
    .option('--json', 'print JSON')
}

/** A verb that needs the database but no running service. */
function verbHere(delivery: Command, name: string, description: string): Command {
  return delivery
    .command(name)
    .description(description)
    .requiredOption('--account <id>', 'the account')
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
    ({ reference, store_reference, status, carrier_provider, from_datetime, to_datetime, ...ends }) => [
      reference,
      store_reference,
      status,
      carrier_provider ?? '',
      windowWords(from_datetime, to_datetime, windowPlace(ends)),
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
  const parameters = Object.entries(values).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, value]],
  )
  return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`
}

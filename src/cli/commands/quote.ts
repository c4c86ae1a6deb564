import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { Command, InvalidArgumentError } from 'commander'
import { formatDollars } from '../../domain/text/format-dollars.ts'
import { type ServiceShown, servicesText, windowPlace } from '../delivery-text.ts'
import { type WindowPlace, windowWords } from '../format.ts'
import { table } from '../table.ts'
import { type ApiOptions, signIn, withApiOptions } from './api.ts'

const EXAMPLES = `
Examples:
  drover quote --store melbourne-cbd --to "Ballarat Central VIC 3350" --parcel 30x20x15,3.2
  drover quote --store fitzroy --to "Carlton VIC 3053" --parcel 30x20x15,1 --parcel 60x40x40,9 --explain
  drover quote --store fitzroy --to "Carlton VIC 3053" --parcel 30x20x15,1 --hold
  drover quote --file quote.json --json

--file takes the body of POST /{account}/deliveries/quote-next-available; - reads standard input.`

type Address = { city: string; state: string; post_code: string }
type Parcel = Record<string, string | number>
type Options = ApiOptions & {
  file?: string
  store?: string
  to?: Address
  parcel?: Parcel[]
  type?: string
  ready?: string
  explain?: true
  hold?: true
  json?: true
}
type Quoted = {
  price_cents: number
  from_datetime: string
  to_datetime: string
  num_days: number
  quote_id?: string
  valid_until?: string
}
type Answer = {
  data: Record<string, Quoted>
  explanation?: { services: ServiceShown[]; warnings: string[] }
}

export function quoteCommand(): Command {
  return withApiOptions(new Command('quote').description('What a delivery costs and when it arrives.'))
    .option('--store <reference>', 'the store to collect from')
    .option('--to <place>', 'suburb, state and postcode', toAddress)
    .option('--parcel <size>', 'centimetres and kilograms, as 30x20x15,3.2; repeat for more', toParcels)
    .option('--type <type>', 'only fast, flexible, standard or express')
    .option('--ready <time>', 'when it is ready, as 2026-11-24T14:00:00+11:00; without it, now')
    .option('--file <file>', 'a whole request as JSON instead')
    .option('--explain', 'show each service with its price by line, or the rule that excludes it')
    .option(
      '--hold',
      'hold the price and window: print the quote_id of each option, to send with the delivery',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => {
      const body = options.file === undefined ? toRequestBody(options) : await readBody(options.file)
      const api = await signIn(options)
      const flags = (['explain', 'hold'] as const)
        .filter((name) => options[name])
        .map((name) => `${name}=true`)
      const query = flags.length > 0 ? `?${flags.join('&')}` : ''
      const answer: Answer = await api.json('POST', `/deliveries/quote-next-available${query}`, body)
      console.log(options.json ? JSON.stringify(answer) : answerText(answer, windowPlace(body as object)))
    })
}

function toRequestBody({ store, to, parcel, type, ready }: Options): unknown {
  const missing = Object.entries({ store, to, parcel }).flatMap(([name, value]) =>
    value === undefined ? `--${name}` : [],
  )
  if (missing.length > 0) throw new Error(`Give ${missing.join(', ')}, or a whole request with --file.`)
  return {
    store_reference: store,
    address: to,
    line_items: [{ code: 'GOODS', name: 'Goods', price_cents: 0, quantity: 1 }],
    parcels: parcel,
    ...(type === undefined ? {} : { delivery_type: type }),
    ...(ready === undefined ? {} : { ready_for_pickup_at: ready }),
  }
}

async function readBody(file: string): Promise<unknown> {
  const source = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8').catch(absent(file))
  try {
    return JSON.parse(source)
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}`)
  }
}

function absent(file: string): () => never {
  return () => {
    throw new Error(`${file} does not exist or cannot be read.`)
  }
}

function answerText({ data, explanation }: Answer, place: WindowPlace): string {
  const rows = Object.entries(data).map(([type, { price_cents, from_datetime, to_datetime }]) => [
    type,
    formatDollars(price_cents),
    windowWords(from_datetime, to_datetime, place),
  ])
  const options =
    rows.length === 0 ? 'No service can take this delivery.' : table(['Type', 'Price', 'Arrives'], rows)
  const offered = [options, ...formatHeldQuotes(data)].join('\n\n')
  if (explanation) return `${offered}\n\n${servicesText(explanation, place)}`
  return rows.length === 0 ? `${offered} --explain says why.` : offered
}

/** Each token on a line of its own, to copy it whole. */
function formatHeldQuotes(data: Answer['data']): string[] {
  return Object.entries(data).flatMap(([type, { quote_id, valid_until }]) =>
    quote_id && valid_until ? [`${type}, held until ${valid_until}:\n${quote_id}`] : [],
  )
}

/** `Ballarat Central VIC 3350`. */
function toAddress(value: string): Address {
  const [, city, state, postCode] = /^(.+?)[\s,]+([A-Za-z]{2,3})[\s,]+(\d{4})$/.exec(value.trim()) ?? []
  if (!city || !state || !postCode) throw new InvalidArgumentError('Write it as "Carlton VIC 3053".')
  return { city, state: state.toUpperCase(), post_code: postCode }
}

/** `30x20x15,3.2`. */
function toParcels(value: string, earlier: Parcel[] = []): Parcel[] {
  const found = /^([\d.]+)x([\d.]+)x([\d.]+),([\d.]+)$/.exec(value.trim().replace(/kg$/, ''))
  const [length = 0, width = 0, height = 0, weight = 0] = (found ?? []).slice(1).map(Number)
  if (!found) throw new InvalidArgumentError('Write it as 30x20x15,3.2: centimetres, then kilograms.')
  const reference = `P${earlier.length + 1}`
  return [
    ...earlier,
    { reference, length_cm: length, width_cm: width, height_cm: height, weight_kg: weight, quantity: 1 },
  ]
}

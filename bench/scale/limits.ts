import type { Hour } from './busiest-hour.ts'
import type { Idle, Read } from './reads.ts'
import type { Size } from './spread.ts'

/** Everything that a run found. */
export type Scale = {
  at: string
  machine: string
  size: Size
  bytes: Readonly<Record<string, number>>
  reads: readonly Read[]
  idle: Idle
  hour: Hour
}

/** Share of a day's deliveries in its busiest hour. */
const BUSIEST_HOUR = 0.15
const TARGET = 10_000_000
const KEPT_DAYS = 400
/** A machine that is busier than this answers late. */
const MAX_BUSY = 0.5
/** A tenth of a core of PostgreSQL for polls that find nothing. */
const MAX_IDLE_MS = 100

type Limit = { limit: string; breaks: string; figure: string; source: 'measured' | 'estimated' }

export type Need = {
  perDay: number
  perSecond: number
  productCores: number | null
  postgresCores: number | null
  walMbPerSecond: number
  diskTb: number
}

/**
 * What so many deliveries a day need in their busiest hour, in proportion to the run. It leaves out what gets cheaper
 * with load (shared statements) and what gets dearer (waits for locks, tables beyond memory).
 */
export function needAt(perDay: number, { bytes, hour }: Pick<Scale, 'bytes' | 'hour'>): Need {
  const perSecond = (perDay * BUSIEST_HOUR) / 3_600
  const played = hour.deliveries / hour.seconds
  const scaled = (cores: number | null) => (cores === null ? null : (cores * perSecond) / played)
  return {
    perDay,
    perSecond,
    productCores: scaled(hour.productCores),
    postgresCores: scaled(hour.postgresCores),
    walMbPerSecond: (hour.walBytesADelivery * perSecond) / 1e6,
    diskTb: (totalBytes(bytes) * perDay * KEPT_DAYS) / 1e12,
  }
}

/** Limit, what breaks first there, and how it is known. */
export function limitsOf(scale: Scale): Limit[] {
  const { bytes, reads, idle, hour, size } = scale
  const need = needAt(TARGET, scale)
  const rows = thousands(size.deliveries)
  const refused = hour.answers.reduce((sum, answers) => sum + answers.refused, 0)
  const lost = Object.values(hour.leftBehind).reduce((sum, count) => sum + count, 0)
  return [
    {
      limit: 'disk',
      breaks: 'the volume fills before anything is slow',
      figure: `${(totalBytes(bytes) / 1_000).toFixed(1)} kB a delivery`,
      source: 'measured',
    },
    {
      limit: `disk, ${thousands(TARGET)} a day`,
      breaks: 'one server’s volumes and its backup',
      figure: `${rounded(need.diskTb)} TB after ${KEPT_DAYS} days`,
      source: 'estimated',
    },
    {
      limit: 'a hundredth of the busiest hour',
      breaks: 'requests are refused, or work is left behind',
      figure: `${refused} refused, ${lost} left behind of ${thousands(hour.deliveries)} deliveries`,
      source: 'measured',
    },
    {
      limit: 'CPU of the product',
      breaks: 'response times; add `api` and `worker` processes',
      figure: `a hundredth used ${percent(hour.productCores)} of one core`,
      source: 'measured',
    },
    {
      limit: 'CPU of PostgreSQL',
      breaks: 'the primary: move reads to a replica, then accounts to another server',
      figure: `a hundredth used ${percent(hour.postgresCores)} of one core`,
      source: 'measured',
    },
    {
      limit: `CPU, ${thousands(TARGET)} a day`,
      breaks: 'the primary: it is one machine; processes of the product can be added',
      figure: `${cores(need.productCores)} cores of the product, ${cores(need.postgresCores)} of PostgreSQL`,
      source: 'estimated',
    },
    {
      limit: 'WAL',
      breaks: 'flushes to disk, and replicas that fall behind',
      figure: `${(hour.walBytesADelivery / 1_000).toFixed(0)} kB and ${hour.statementsADelivery.toFixed(1)} statements a delivery, its share of reads included`,
      source: 'measured',
    },
    {
      limit: `WAL, ${thousands(TARGET)} a day`,
      breaks: 'a network volume of the usual size',
      figure: `${rounded(need.walMbPerSecond)} MB and ${rounded(hour.statementsADelivery * need.perSecond)} statements a second`,
      source: 'estimated',
    },
    {
      limit: 'polls',
      breaks: 'PostgreSQL’s CPU, while nothing is due',
      figure: `${idle.postgresMsPerSecond?.toFixed(1) ?? '–'} ms a second with ${thousands(size.accounts)} accounts`,
      source: 'measured',
    },
    {
      limit: 'polls of many workers',
      breaks: 'a tenth of a core',
      figure: idle.postgresMsPerSecond
        ? `${thousands(Math.floor(MAX_IDLE_MS / idle.postgresMsPerSecond))} idle workers`
        : '–',
      source: 'estimated',
    },
    ...reads
      .filter(({ name }) => Object.hasOwn(READ_LIMITS, name))
      .map(({ name, p50Ms, maxMs }) => ({
        limit: `${name}, ${rows} deliveries`,
        breaks: READ_LIMITS[name] as string,
        figure: `${ms(p50Ms)}, at most ${ms(maxMs)}`,
        source: 'measured' as const,
      })),
    {
      limit: `start, ${thousands(size.accounts)} accounts`,
      breaks: 'rolling restarts',
      figure: `${(idle.startMs / 1_000).toFixed(1)} s, ${idle.memoryMb?.toFixed(0) ?? '–'} MB`,
      source: 'measured',
    },
  ]
}

const READ_LIMITS: Readonly<Record<string, string>> = {
  'get by id': 'nothing: it reads one row by its key',
  'list, first page': 'nothing: it reads fifty rows by an index',
  'search, no hit': 'it reads the account’s newest 20,000',
  'insights of 28 days': 'it counts the days that are not tallied yet',
  'feed, first page': 'nothing: it reads by position',
  '/metrics': 'it counts open deliveries and stores, not history',
}

/** docs/operations/scale.md between its markers: the two tables of a run. */
export function scaleBlock(scale: Scale): string {
  const { size, hour } = scale
  const limits = limitsOf(scale).map(({ limit, breaks, figure, source }) => [limit, breaks, figure, source])
  const answers = hour.answers.map(({ name, offered, refused, p50Ms, p99Ms }) => [
    name,
    thousands(offered),
    String(refused),
    ms(p50Ms),
    ms(p99Ms),
  ])
  const needs = [10_000, 1_000_000, TARGET].map((perDay) => {
    const need = needAt(perDay, scale)
    return [
      thousands(perDay),
      rounded(need.perSecond),
      withRoom(need.productCores),
      withRoom(need.postgresCores),
      rounded(need.walMbPerSecond),
      need.diskTb < 1 ? `${rounded(need.diskTb * 1_000)} GB` : `${rounded(need.diskTb)} TB`,
    ]
  })
  return [
    `Written by \`npm run scale -- --deliveries ${size.deliveries} --accounts ${size.accounts} --minutes ${hour.seconds / 60} --write\` on ${scale.at.slice(0, 10)}: ${thousands(size.deliveries)} deliveries of ${thousands(size.accounts)} accounts, ${Math.round(hour.seconds)} s of load, ${scale.machine}.`,
    table(['limit', 'what breaks first', 'figure', 'source'], limits),
    'The load, from when a request was due to its response:',
    table(['request', 'sent', 'refused', 'p50', 'p99'], answers),
    `In proportion to that run, with machines at most ${MAX_BUSY * 100} % busy:`,
    table(
      [
        'deliveries a day',
        'a second in the busiest hour',
        'cores of the product',
        'cores of PostgreSQL',
        'MB of WAL a second',
        `disk after ${KEPT_DAYS} days`,
      ],
      needs,
    ),
  ].join('\n\n')
}

const [BEGIN, END] = ['<!-- scale: begin -->', '<!-- scale: end -->']

/** The document with this text between its markers. */
export function withBlock(document: string, block: string): string {
  const [before, rest] = document.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`The document lacks ${BEGIN} or ${END}.`)
  return `${before}${BEGIN}\n\n${block}\n\n${END}${after}`
}

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(line)].join('\n')
}

function totalBytes(bytes: Readonly<Record<string, number>>): number {
  return Object.values(bytes).reduce((sum, each) => sum + each, 0)
}

const thousands = (count: number): string => count.toLocaleString('en-AU')
/** With two digits: more would claim to know what one run cannot. */
const rounded = (value: number): string => thousands(Number(value.toPrecision(2)))
const ms = (value: number): string => (Number.isFinite(value) ? `${rounded(value)} ms` : '–')
const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(0)} %`)
const cores = (count: number | null): string => (count === null ? '–' : rounded(count))
const withRoom = (used: number | null): string =>
  used === null ? '–' : thousands(Math.ceil(used / MAX_BUSY))

import { randomInt } from 'node:crypto'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** The seed, these whole numbers (their defaults and minima), and the other options of a command line. */
export function readOptions<Name extends string, const Others extends ParseArgsOptionsConfig>(
  args: string[],
  counts: Readonly<Record<Name, readonly [usual: number, min: number]>>,
  others: Others,
) {
  const names = Object.keys(counts) as Name[]
  const texts = names.map((name) => [name, { type: 'string', default: `${counts[name][0]}` }] as const)
  const { seed, ...values } = parseArgs({
    args,
    options: { seed: { type: 'string' }, ...Object.fromEntries(texts), ...others },
  }).values as Record<string, string>
  const numbers = names.map((name) => [name, toCount(name, values[name] as string, counts[name][1])])
  return {
    seed: toSeed(seed),
    counts: Object.fromEntries(numbers) as Record<Name, number>,
    values: values as unknown as ReturnType<typeof parseArgs<{ options: Others }>>['values'],
  }
}

/** The seed of the command line, or another one for each run. */
export function toSeed(given: string | undefined): number {
  return given === undefined ? randomInt(1_000_000) : toNumber('seed', given, 0)
}

/** A whole number of the command line. Throws with the option's name. */
export function toCount(option: string, given: string, min = 1): number {
  const number = toNumber(option, given, min)
  if (!Number.isSafeInteger(number)) throw new Error(`--${option} must be a whole number, not ${given}.`)
  return number
}

/** A number of the command line, of at least `min`. Throws with the option's name. */
export function toNumber(option: string, given: string, min = 0): number {
  const number = Number(given)
  if (given.trim() === '' || !Number.isFinite(number) || number < min)
    throw new Error(`--${option} must be a number of at least ${min}, not "${given}".`)
  return number
}

/** One of these names, as given on the command line. Throws with all of them. */
export function toNameOf<Name extends string>(names: readonly Name[], kind: string, given: string): Name {
  const found = names.find((name) => name === given)
  if (!found) throw new Error(`There is no ${kind} ${given}. Choose one of ${names.join(', ')}.`)
  return found
}

/** The run starts the embedded PostgreSQL or a Citus cluster of its own, or copies a template on a given server. */
export type Database = { kind: 'embedded' | 'citus' } | { kind: 'given'; url: string }

/** The database that `--database` names; `given` is the server of `DATABASE_URL`. */
export function toDatabase(named: string, url = process.env.DATABASE_URL): Database {
  const kind = toNameOf(['embedded', 'citus', 'given'], 'database', named)
  if (kind !== 'given') return { kind }
  // The TCP proxies between Drover and its database forward to this machine only.
  if (!url || !LOOPBACK.has(new URL(url).hostname))
    throw new Error('--database=given needs a DATABASE_URL of a server on 127.0.0.1.')
  return { kind, url }
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost'])

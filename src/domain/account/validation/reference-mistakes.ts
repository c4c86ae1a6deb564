import { didYouMean } from '../../text/nearest.ts'
import type { Path } from '../document/schema-at.ts'
import { entries, field, textField } from './loose.ts'
import type { AccountMistake, MistakesInSteps } from './mistake.ts'

/** Finds duplicate names, and references to things that do not exist. Reads documents of any shape. */
export function* referenceMistakes(document: unknown, adapters: readonly string[] | null): MistakesInSteps {
  const stores = entries(document, 'stores')
  const carriers = entries(document, 'carriers')
  yield* findDuplicates(entries(document, 'brands'), 'reference')
  yield* findDuplicates(stores, 'reference')
  yield* findDuplicates(carriers, 'provider')
  yield* findDuplicates(entries(document, 'dangerous_goods_definitions'), 'name')
  yield* findDuplicates(entries(document, 'usual_boxes'), 'name')
  for (const carrier of carriers) {
    yield* findDuplicates(entries(carrier.value, 'services', carrier.path), 'service')
    yield* findDuplicates(entries(carrier.value, 'services', carrier.path), 'carrier_code')
  }
  const references = new KnownNames('a store in this document', names(stores, 'reference'))
  for (const carrier of carriers) {
    const limited = [carrier, ...entries(carrier.value, 'services', carrier.path)]
    for (const { value, path } of limited)
      yield* findUnknownStores(field(value, 'limits'), [...path, 'limits'], references)
  }
  for (const store of stores)
    yield* findDuplicates(entries(store.value, 'staff_couriers', store.path), 'phone')

  const brands = new KnownNames('a brand in this document', names(entries(document, 'brands'), 'reference'))
  if (stores.length > 0 && isEmptyList(field(document, 'brands'))) {
    yield {
      path: ['brands'],
      kind: 'too_short',
      wrong: 'is empty, but the account has stores',
      remedy: 'add a brand: stores without a brand use the first one',
    }
  }
  for (const { value, path } of stores) yield* findUnknown(path, 'brand', textField(value, 'brand'), brands)

  const providers = new KnownNames('a carrier in this document', names(carriers, 'provider'))
  for (const { value, path } of entries(field(field(document, 'booking'), 'order'), 'preferred', [
    'booking',
    'order',
  ])) {
    if (typeof value === 'string') yield* findUnknown(path.slice(0, -1), path.at(-1)!, value, providers)
  }
  if (!adapters) return
  const adapterNames = new KnownNames('the name of an adapter', new Set(adapters))
  for (const { value, path } of carriers) {
    const name = textField(value, 'adapter')
    if (name !== undefined) yield* findUnknown(path, 'adapter', name, adapterNames)
    else yield* findUnknown(path, 'provider', textField(value, 'provider'), adapterNames)
  }
}

function* findUnknownStores(limits: unknown, path: Path, references: KnownNames): MistakesInSteps {
  for (const { value, path: at } of entries(limits, 'stores', path)) {
    if (typeof value === 'string') yield* findUnknown(at.slice(0, -1), at.at(-1)!, value, references)
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

type Entries = readonly { value: unknown; path: Path }[]

function names(list: Entries, name: string): Set<string> {
  return new Set(list.flatMap(({ value }) => textField(value, name) ?? []))
}

function* findDuplicates(list: Entries, name: string): Generator<AccountMistake> {
  const first = new Map<string, number>()
  for (const [index, { value, path }] of list.entries()) {
    const word = textField(value, name)
    if (word === undefined) continue
    const earlier = first.get(word)
    if (earlier === undefined) first.set(word, index)
    else {
      yield {
        path: [...path, name],
        kind: 'conflict',
        wrong: `entry ${earlier + 1} of this list already uses "${word}"`,
        remedy: 'write a different value in each entry',
      }
    }
  }
}

/** Unknown names of each kind that get a suggestion: each suggestion compares the name with every known name. */
const MAX_SUGGESTIONS = 100

/** The names that a field accepts, and the mistake for any other name. */
class KnownNames {
  readonly #what: string
  readonly #words: ReadonlySet<string>
  #suggested = 0
  #list: string | null = null

  constructor(what: string, words: ReadonlySet<string>) {
    this.#what = what
    this.#words = words
  }

  has(word: string): boolean {
    return this.#words.has(word)
  }

  toMistake(path: Path, word: string): AccountMistake {
    this.#suggested += 1
    const suggestion = this.#suggested <= MAX_SUGGESTIONS ? didYouMean(word, this.#words).trim() : ''
    this.#list ??= listKnown([...this.#words])
    return {
      path,
      kind: this.#what.startsWith('a carrier') ? 'unknown_provider' : 'invalid_value',
      wrong: `"${word}" is not ${this.#what}`,
      remedy: suggestion || this.#list,
    }
  }
}

function listKnown(words: readonly string[]): string {
  if (words.length === 0) return 'remove it: there is nothing to choose from'
  if (words.length > 30) return `write one of the ${words.length} that exist, such as ${words[0]}`
  return `write ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}`
}

function* findUnknown(
  above: Path,
  step: string | number,
  word: string | undefined,
  names: KnownNames,
): MistakesInSteps {
  if (word === undefined || names.has(word)) return
  yield names.toMistake([...above, step], word)
  yield
}

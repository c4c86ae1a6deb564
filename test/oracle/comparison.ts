import { checkAvailability } from '../../src/domain/quoting/availability.ts'
import { bestByType, decide } from '../../src/domain/quoting/decide.ts'
import type { Decision, Option } from '../../src/domain/quoting/decision.ts'
import { DELIVERY_TYPES } from '../../src/domain/values.ts'
import { availabilitySlowly, type OracleAnswer, quoteSlowly } from './options.ts'
import { gstIn } from './prices.ts'
import { inWords, type Question } from './questions.ts'
import { TYPES } from './services.ts'

/** Asks product and oracle the same questions, counts comparisons and keeps differences. */
export class Comparison {
  count = 0
  differences: string[] = []
  #question: Question | null = null
  readonly #types: typeof TYPES

  constructor(types = TYPES) {
    this.#types = types
  }

  ask(question: Question) {
    this.#question = question
    this.#askAvailability(question)
    this.#askQuote(question)
  }

  #askAvailability({ account, store, job, nowMs }: Question) {
    const { windows } = checkAvailability(account, job, nowMs)
    const expected = availabilitySlowly(store, job, nowMs, this.#types)
    for (const type of DELIVERY_TYPES) {
      this.#instant(type, 'from', windows[type]?.fromMs, expected[type]?.fromMs)
      this.#instant(type, 'to', windows[type]?.toMs, expected[type]?.toMs)
    }
  }

  #askQuote({ account, store, job, nowMs }: Question) {
    const decision = decide(account, job, nowMs)
    const answers = quoteSlowly(store, job, nowMs)
    for (const answer of answers) this.#service(decision, answer)
    const { options } = decision
    this.#same('quote', 'options', options.length, answers.filter(({ excludedBy }) => !excludedBy).length)
    const prices = options.map(({ priceCents }) => priceCents)
    this.#same('quote', 'order of prices', String(prices), String(prices.toSorted((a, b) => a - b)))
    for (const [type, best] of Object.entries(bestByType(decision))) {
      const rivals = options.filter(({ service }) => service.type === type)
      this.#same(type, 'best', best.priceCents, Math.min(...rivals.map(({ priceCents }) => priceCents)))
    }
  }

  #service({ options, exclusions }: Decision, answer: OracleAnswer) {
    const { name } = answer.service
    if (answer.excludedBy) {
      const rule = exclusions.find(({ service }) => service.service === name)?.rule
      const isRight = rule !== undefined && answer.excludedBy.includes(rule)
      this.#same(name, 'rule', isRight ? 'right' : rule, 'right')
      return
    }
    const option = options.find(({ service }) => service.service === name)
    this.#same(name, 'whether it is an option', option !== undefined, true)
    if (!option) return
    this.#instant(name, 'pickup', option.pickupMs, answer.times.pickupMs)
    this.#instant(name, 'from', option.window.fromMs, answer.times.window.fromMs)
    this.#instant(name, 'to', option.window.toMs, answer.times.window.toMs)
    this.#same(name, 'num_days', option.numDays, answer.times.numDays)
    this.#price(option, answer.price)
  }

  #price({ service: { service: name }, lines, priceCents, gstIncludedCents }: Option, price: object) {
    const total = Object.values(price).reduce((sum, cents) => sum + cents, 0)
    for (const [line, cents] of Object.entries(price)) this.#same(name, line, lineCents(lines, line), cents)
    this.#same(name, 'price', priceCents, total)
    this.#same(name, 'sum of lines', sumOf(lines), total)
    this.#same(name, 'GST', gstIncludedCents, gstIn(total))
  }

  #instant(whose: string, what: string, ms: number | undefined, expectedMs: number | undefined) {
    this.count += 1
    if (ms !== expectedMs) this.#differ(whose, what, iso(ms), iso(expectedMs))
  }

  #same<T>(whose: string, what: string, value: T, expected: T) {
    this.count += 1
    if (value !== expected) this.#differ(whose, what, String(value), String(expected))
  }

  #differ(whose: string, what: string, value: string, expected: string) {
    this.differences.push(`${whose} ${what} is ${value}, expected ${expected}: ${inWords(this.#question!)}`)
  }
}

/** The base line of a rate card by zone may be called `zone`. */
function lineCents(lines: Option['lines'], name: string): number {
  const names = name === 'base' ? ['base', 'zone'] : [name]
  return sumOf(lines.filter((line) => names.includes(line.name)))
}

function sumOf(lines: readonly { cents: number }[]): number {
  return lines.reduce((sum, { cents }) => sum + cents, 0)
}

function iso(ms: number | undefined): string {
  return ms === undefined ? 'nothing' : new Date(ms).toISOString()
}

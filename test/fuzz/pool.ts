import type { Random } from '../harness/random.ts'
import type { Known } from './good-value.ts'

const MOST = 60

/** Values from earlier responses, for later requests: by the field's name, and by the prefix of our ids. */
export class Pool {
  readonly #values = new Map<string, unknown[]>()
  readonly #kept: ReadonlySet<unknown>

  /** `kept`: values that no case may delete, because the run would be locked out. */
  constructor(kept: readonly unknown[]) {
    this.#kept = new Set(kept)
  }

  readonly known: Known = (name) => this.#values.get(name) ?? []

  add(name: string, value: unknown, random: Random): void {
    if (this.#kept.has(value)) return
    const values = this.#values.get(name) ?? []
    this.#values.set(name, values)
    if (values.includes(value)) return
    if (values.length < MOST) values.push(value)
    else values[random.below(MOST)] = value
  }

  /** Every field name in a response. */
  learn(json: unknown, random: Random, name = ''): void {
    if (Array.isArray(json)) for (const one of json) this.learn(one, random, name)
    else if (json !== null && typeof json === 'object') {
      for (const [key, value] of Object.entries(json)) this.learn(value, random, key)
    } else if (typeof json === 'string') this.#learnText(json, random, name)
  }

  #learnText(text: string, random: Random, name: string): void {
    const id = /^([a-z]{3})_[0-9a-z]{26}$/.exec(text)
    if (id) this.add(id[1] as string, text, random)
    if (NAMES.test(name)) this.add(name, text, random)
    const token = /\/(?:l|track|driver\/jobs)\/([\w-]{32,})$/.exec(text)
    if (token) this.add('token', token[1], random)
  }
}

const NAMES = /(?:^|_)(?:id|reference|provider|phone|email|name|next|definition)$/

import type { Deps } from '../../../src/operations/deps.ts'
import type { Ask, Reply } from '../../harness/http.ts'
import type { Random } from '../../harness/random.ts'
import type { SystemUnderTest } from '../system-under-test.ts'

/** The system under attack: two API processes, and deps for calls without an API process. */
export type Site = {
  system: SystemUnderTest
  deps: Deps
  /** Couriers' phones, each with a valid code. */
  phones: readonly string[]
}

/** `rejected`: a rate limit rejected the guess, so the attacker learned nothing. */
export type Answer = 'in' | 'compared' | 'rejected'
export type Guess = (number: number, random: Random) => Promise<Answer>

export type Target = {
  what: string
  /** How many of a hundred guesses go to this target. */
  share: number
  /** The probability that a compared guess is right. */
  chance: number
  /** The maximum number of guesses compared in a number of seconds; null: only chance limits them. */
  max: ((seconds: number) => number) | null
  begin(site: Site): Promise<Guess>
}

/** The API processes of the run: each has its own limits. */
export const API_PROCESSES = 2

export function apiOf({ system: { apis } }: Site, number: number): Ask {
  return apis[number % API_PROCESSES] as Ask
}

const REJECTED = new Set(['rate_limited', 'link_locked'])

export function answerOf({ status, json }: Reply): Answer {
  if (status >= 500) throw new Error(`answered ${status}`)
  return status < 300 ? 'in' : REJECTED.has(json?.code) ? 'rejected' : 'compared'
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

export function randomText(random: Random, letters: number): string {
  return Array.from({ length: letters }, () => BASE64URL[random.below(64)]).join('')
}

export function sixDigits(random: Random): string {
  return `${random.below(1_000_000)}`.padStart(6, '0')
}

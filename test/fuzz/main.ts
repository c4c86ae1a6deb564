/**
 * Fuzzes a service that it starts itself; see docs/operations/fuzz.md.
 *
 *   npm run fuzz                                     20,000 requests from the OpenAPI document, valid and invalid
 *   npm run fuzz -- --cases 200000 --seed 7          that many cases; the seed repeats a run
 *   npm run fuzz -- --seed 7 --first 4711 --cases 1  one case of a run alone
 *   npm run fuzz -- races --count 10000              concurrent requests for the same thing
 *   npm run fuzz -- guessing --guesses 1000000       guesses of codes, links and order numbers
 *   npm run fuzz -- models --runs 2000               sequences of commands, compared with a model in memory
 */
import { type CleanUps, withCleanUps } from '../harness/clean-ups.ts'

/** Prints the result; false if something was wrong. */
type Command = (cleanUps: CleanUps, args: string[]) => Promise<boolean>

const COMMANDS: Record<string, () => Promise<Command>> = {
  requests: async () => (await import('./requests-command.ts')).requestsCommand,
  races: async () => (await import('./races/command.ts')).racesCommand,
  guessing: async () => (await import('./guessing/command.ts')).guessingCommand,
  models: async () => (await import('./models/command.ts')).modelsCommand,
}

const [first = '', ...rest] = process.argv.slice(2)
const isNamed = first !== '' && !first.startsWith('-')
const load = COMMANDS[isNamed ? first : 'requests']
if (!load) throw new Error(`There is no command ${first}. Choose one of ${Object.keys(COMMANDS).join(', ')}.`)

const command = await load()
const isWell = await withCleanUps((cleanUps) => command(cleanUps, isNamed ? rest : process.argv.slice(2)))
process.exitCode = isWell ? 0 : 1

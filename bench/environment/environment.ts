import { type RealStatements, realStatements } from '../baselines/real-statements.ts'
import { type StatementLimit, statementLimit } from '../baselines/statement-limit.ts'
import { type Generator, startGenerator } from '../load/load.ts'
import { type BenchDatabase, startBenchDatabase } from './database.ts'
import { liftLimits, type Service, startService } from './service.ts'

export type Environment = {
  database: BenchDatabase
  service: Service
  generator: Generator
  /** The service's statements, and the program that repeats them without the service. */
  statements: RealStatements
  limit: StatementLimit
  /** How long and how often each figure is measured. */
  plan: Plan
}

export type Plan = {
  isQuick: boolean
  rounds: number
  durationMs: number
  warmUpMs: number
  /** Warm-up before a figure of a long-running service, so that both of V8's compilers have finished. */
  settledMs: number
  /** Before memory is measured: after ten quiet seconds a service returns memory that it does not need. */
  quietMs: number
  /** Deliveries before memory is measured, and before it is measured again; a quick run measures once. */
  fill: number
  max: number
  /** Numbers of requests whose statements are counted, bookings measured a round, deliveries followed to the door, and durable ticks timed. */
  counted: number
  bookings: number
  lives: number
  ticks: number
  /** Accounts of an installation with many. */
  accounts: number
  /**
   * How many requests of each rejection and of its quote are measured; null: by `durationMs`. There are forty of
   * them.
   */
  refused: number | null
}

export const FULL: Plan = {
  isQuick: false,
  rounds: 7,
  durationMs: 1_500,
  warmUpMs: 500,
  settledMs: 6_000,
  quietMs: 13_000,
  fill: 100_000,
  max: 1_000_000,
  counted: 2_000,
  // Divisible by the limit's connections, whatever the number of workers that it is compared with.
  bookings: 2_400,
  lives: 600,
  ticks: 4_000,
  accounts: 10_000,
  refused: null,
}
export const QUICK: Plan = {
  isQuick: true,
  rounds: 2,
  durationMs: 1_000,
  warmUpMs: 300,
  settledMs: 5_000,
  quietMs: 13_000,
  fill: 5_000,
  max: 5_000,
  counted: 500,
  bookings: 600,
  lives: 200,
  ticks: 800,
  accounts: 10_000,
  refused: null,
}
/**
 * Each part once and at its smallest, to see whether the benchmark runs. Its figures mean nothing. A round takes a
 * second, because in less a busy machine may respond to no request at all.
 */
export const SMOKE: Plan = {
  isQuick: true,
  rounds: 1,
  durationMs: 1_000,
  warmUpMs: 100,
  settledMs: 0,
  quietMs: 0,
  fill: 500,
  max: 500,
  counted: 50,
  bookings: 40,
  lives: 20,
  ticks: 50,
  accounts: 50,
  refused: 40,
}

/** Starts the database, the service on it and the load generator, each in a separate process. */
export async function startEnvironment(plan: Plan): Promise<Environment & { stop(): Promise<void> }> {
  const database = await startBenchDatabase()
  const running: { stop(): Promise<void> }[] = [database]
  const stop = async () => {
    for (const one of running.reverse()) await one.stop()
  }
  try {
    const service = await startService(database.home, database.url)
    running.push(service)
    await liftLimits(service)
    const generator = startGenerator()
    running.push(generator)
    const limit = statementLimit(database.url)
    running.push(limit)
    const statements = await realStatements(database.url)
    return { database, service, generator, limit, statements, plan, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

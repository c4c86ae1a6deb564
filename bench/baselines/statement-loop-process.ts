import pg from 'pg'
import { answerParent } from '../environment/child.ts'
import { type Numbers, type Repeat, UNIQUE, UNIQUE_DIGITS } from './statement.ts'

/** The limit without pgbench: the driver alone, in a process that does nothing else. */
answerParent(async ({ databaseUrl, repeat }: { databaseUrl: string; repeat: Repeat }) => {
  const { statements, clients: count, numbers } = repeat
  const clients = Array.from({ length: count }, () => new pg.Client({ connectionString: databaseUrl }))
  await Promise.all(clients.map((client) => client.connect()))
  const beganMs = performance.now()
  let begun = 0
  let done = 0
  await Promise.all(
    clients.map(async (client) => {
      while (isMore(numbers, begun, performance.now() - beganMs)) {
        const turn = begun++
        const number = String(numberOf(numbers, turn)).padStart(UNIQUE_DIGITS, '0')
        for (const [at, { text, values, oneIn = 1 }] of statements.entries()) {
          if (turn % oneIn > 0) continue
          const filled = values.map((value) => value?.replaceAll(UNIQUE, number) ?? null)
          await client.query({ name: `repeated-${at}`, text, values: filled })
        }
        done += 1
      }
    }),
  )
  const seconds = (performance.now() - beganMs) / 1_000
  await Promise.all(clients.map((client) => client.end()))
  return done / seconds
})

function isMore(numbers: Numbers, begun: number, tookMs: number): boolean {
  return 'count' in numbers ? begun < numbers.count : tookMs < numbers.durationMs
}

function numberOf(numbers: Numbers, turn: number): number {
  if ('among' in numbers) return 1 + Math.floor(Math.random() * numbers.among)
  return 'run' in numbers ? numbers.run * 100_000_000 + turn + 1 : numbers.from + turn
}

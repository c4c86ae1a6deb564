import pg from 'pg'
import { answerParent } from '../world/child.ts'
import type { Repeat } from './pgbench.ts'
import { UNIQUE, UNIQUE_DIGITS } from './statement.ts'

/** The limit where there is no pgbench: the driver alone, in a process that does nothing else. */
answerParent(async ({ databaseUrl, repeat }: { databaseUrl: string; repeat: Repeat }) => {
  const { statement, clients: count, durationMs, numbers } = repeat
  const clients = Array.from({ length: count }, () => new pg.Client({ connectionString: databaseUrl }))
  await Promise.all(clients.map((client) => client.connect()))
  let n = 0
  const next = () =>
    'run' in numbers ? numbers.run * 100_000_000 + ++n : 1 + Math.floor(Math.random() * numbers.among)
  const beganMs = performance.now()
  let done = 0
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - beganMs < durationMs) {
        const number = String(next()).padStart(UNIQUE_DIGITS, '0')
        const values = statement.values.map((value) => value?.replaceAll(UNIQUE, number) ?? null)
        await client.query({ name: 'repeated', text: statement.text, values })
        done += 1
      }
    }),
  )
  const seconds = (performance.now() - beganMs) / 1_000
  await Promise.all(clients.map((client) => client.end()))
  return done / seconds
})

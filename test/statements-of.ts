import type { Api } from './api.ts'

/** How often each statement was sent to the database during `work`, by its name. */
export async function statementsOf(
  { fixture }: Api,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = await counts(fixture)
  await work()
  const after = await counts(fixture)
  return Object.fromEntries(
    [...after].flatMap(([name, count]) => {
      const sent = count - (before.get(name) ?? 0)
      return sent > 0 && !OF_ITSELF.has(name) ? [[name, sent]] : []
    }),
  )
}

/**
 * Statements that belong to no request: with them a process follows accounts and the test clock, and records once a
 * minute who was online.
 */
const OF_ITSELF = new Set([
  'read-accounts-digest',
  'notify-peers',
  'list-account-heads',
  'list-api-clients',
  'tell-of-work',
  'note-client-uses',
])

async function counts({ parts }: Api['fixture']): Promise<Map<string, number>> {
  const metric = await parts.registry.getSingleMetric('drover_database_statements_total')?.get()
  return new Map(metric?.values.map(({ labels, value }) => [String(labels.statement), value]))
}

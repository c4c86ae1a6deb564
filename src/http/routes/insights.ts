import type { Account } from '../../domain/account/account.ts'
import { parseTimestamp } from '../../domain/calendar/timestamp.ts'
import { formatDate } from '../../domain/calendar/zone.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Figures } from '../../domain/insights/figures.ts'
import { insights } from '../../operations/insights.ts'
import { type Endpoint, json, tenantEndpoint } from '../endpoint.ts'
import { InsightsAnswer, InsightsQuery } from '../schemas/insights.ts'

export const INSIGHT_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'GET',
    url: '/:tenant_id/insights',
    operationId: 'getInsights',
    access: 'deliveries:read',
    tag: 'Deliveries',
    summary: 'What came of the deliveries that ended in a period',
    description:
      'Cost, whether they came when promised, by service, week and store, and the rules that kept services out.',
    query: InsightsQuery,
    answers: {
      200: { description: 'The figures, beside those of as many days before.', schema: InsightsAnswer },
    },
    refusals: [],
    async handle({ deps, entry, caller, query }) {
      const found = await insights(deps, entry, caller, {
        fromDay: dayOf(query.from, 'from'),
        toDay: dayOf(query.to, 'to'),
        storeReference: query.store_reference ?? null,
      })
      return json(200, {
        data: {
          from: formatDate(found.fromDay),
          to: formatDate(found.toDay),
          total: fromFigures(found.total),
          before: fromFigures(found.before),
          services: found.services.map(({ provider, carrier, service, bins, ...rest }) => ({
            provider,
            service,
            carrier,
            ...fromFigures(rest),
            bins,
          })),
          weeks: found.weeks.map(({ costCents, ...week }) => ({ ...week, cost_cents: costCents })),
          stores: found.stores.map(({ storeId, ...rest }) => ({
            ...storeNamed(entry.account, storeId),
            ...fromFigures(rest),
          })),
          kept_out: found.keptOut,
        },
      })
    },
  }),
]

function fromFigures({ costCents, ...figures }: Figures) {
  return { ...figures, cost_cents: costCents }
}

function storeNamed({ storeById }: Account, storeId: string): { store_reference: string; name: string } {
  const store = storeById.get(storeId)
  return { store_reference: store?.reference ?? storeId, name: store?.name ?? storeId }
}

function dayOf(date: string | undefined, field: string): number | null {
  if (date === undefined) return null
  const midnight = parseTimestamp(`${date}T00:00`)
  if (midnight?.kind === 'local') return midnight.localDay
  const message = `There is no day ${date}.`
  throw new Refusal('invalid_request', message, { issues: [{ field, issue: 'invalid_value', message }] })
}

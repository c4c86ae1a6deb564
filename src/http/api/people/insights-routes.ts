import type { Account } from '../../../domain/account/account.ts'
import { formatDate, formatLocal } from '../../../domain/calendar/zone.ts'
import type { Figures, UncountedFigures } from '../../../domain/insights/figures.ts'
import { text } from '../../../domain/untyped-json.ts'
import { type InsightsRequest, insights, insightsIssues } from '../../../operations/insights/insights.ts'
import {
  type DeliveryCost,
  deliveryCostsIssues,
  listDeliveryCosts,
} from '../../../operations/insights/list-delivery-costs.ts'
import { type Endpoint, json, tenantEndpoint } from '../../contract/endpoint.ts'
import { toDays } from '../../input/list-query.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { DeliveryCostsAnswer, DeliveryCostsQuery, InsightsAnswer, InsightsQuery } from './insights-schema.ts'

export const INSIGHT_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'GET',
    url: '/:tenant_id/insights',
    operationId: 'getInsights',
    readsReplica: true,
    access: 'deliveries:read',
    tag: 'Deliveries',
    summary: 'Get figures on the deliveries that ended in a period',
    description:
      'Returns cost and timeliness by service, week and store, the rules that excluded services, and the extra cost of those exclusions. `GET /{tenant_id}/deliveries` with `ended_from` and `ended_to` lists the deliveries behind a figure.',
    query: InsightsQuery,
    moreOfQuery: ({ entry, caller, query }) => insightsIssues(entry, caller, toInsightsRequest(query)),
    answers: {
      200: {
        description: 'The figures, with those of the same number of days before.',
        schema: InsightsAnswer,
      },
    },
    refusals: [],
    async handle({ deps, entry, caller, query }) {
      const found = await insights(deps, entry, caller, toInsightsRequest(query))
      return json(200, {
        data: {
          from: formatDate(found.fromDay),
          to: formatDate(found.toDay),
          total: fromFigures(found.total),
          before: fromFigures(found.before),
          cancelled: fromUncounted(found.cancelled),
          lost: fromUncounted(found.lost),
          services: found.services.map(({ provider, carrier, service, bins, ...rest }) => ({
            provider,
            service,
            carrier,
            ...fromFigures(rest),
            bins,
          })),
          weeks: found.weeks.map(({ costCents, ...week }) => ({ ...week, cost_cents: costCents })),
          stores: found.stores.map(({ storeId, ...rest }) => ({
            ...storeNamed(entry.account, found.storeReferences, storeId),
            ...fromFigures(rest),
          })),
          exclusions: found.exclusions.map(({ extraCostCents, pricedCount, cheaperCount, ...rest }) => ({
            ...rest,
            carrier: entry.account.carrierByProvider.get(rest.provider)?.name ?? null,
            priced_count: pricedCount,
            cheaper_count: cheaperCount,
            extra_cost_cents: extraCostCents,
          })),
          versions: found.versions.map(({ version, appliedAtMs }) => ({
            version,
            applied_at: formatLocal(entry.account.zone, appliedAtMs),
          })),
        },
      })
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: '/:tenant_id/insights/deliveries',
    operationId: 'listDeliveryCosts',
    readsReplica: true,
    access: 'deliveries:read',
    tag: 'Deliveries',
    summary: 'List what each delivery of a period cost',
    description:
      'One row for each delivery that ended in the period, oldest first, with the quoted and the charged price. The sum of `charged_cents` is `total.cost_cents` of `GET /{tenant_id}/insights` for the same query. Unlike `GET /{tenant_id}/deliveries`, it includes deliveries whose customer data was erased.',
    query: DeliveryCostsQuery,
    moreOfQuery: ({ entry, caller, query }) =>
      deliveryCostsIssues(entry, caller, { ...toInsightsRequest(query), after: text(query.after) }),
    answers: { 200: { description: 'One page of deliveries.', schema: DeliveryCostsAnswer } },
    refusals: [],
    async handle({ deps, entry, caller, query }) {
      const { costs, storeReferences, next } = await listDeliveryCosts(deps, entry, caller, {
        ...toInsightsRequest(query),
        inTotal: query.in_total ?? null,
        after: query.after ?? null,
        limit: query.limit ?? 50,
      })
      return json(200, {
        data: costs.map((cost) => fromCost(entry.account, storeReferences, cost)),
        pagination: { next, has_more: next !== null },
      })
    },
  }),
]

/** Reads the query, even if its schema has rejected it. */
function toInsightsRequest({ from, to, store_reference: reference }: InsightsParameters): InsightsRequest {
  return { ...toDays(from, to), storeReference: text(reference) }
}
type InsightsParameters = { from?: unknown; to?: unknown; store_reference?: unknown }

function fromFigures({ ownDeliveries, costCents, deliveredWithWindow, onTime, ...figures }: Figures) {
  return {
    ...figures,
    own_deliveries: ownDeliveries,
    cost_cents: costCents,
    delivered_with_window: deliveredWithWindow,
    on_time: onTime,
  }
}

function fromUncounted({ deliveries, quotedCents }: UncountedFigures) {
  return { deliveries, quoted_cents: quotedCents }
}

function fromCost(account: Account, references: ReadonlyMap<string, string>, cost: DeliveryCost) {
  const { deliveryId, reference, storeId, ending, suburb, provider, carrier, service, timeliness } = cost
  return {
    id: deliveryId,
    reference,
    store_reference: storeNamed(account, references, storeId).store_reference,
    status: ending,
    suburb,
    provider,
    carrier,
    service,
    consignment_number: cost.consignmentNumber,
    quoted_cents: cost.quotedCents,
    charged_cents: cost.chargedCents,
    booked_at: cost.bookedAtMs === null ? null : recordTime(cost.bookedAtMs),
    delivered_at: cost.deliveredAtMs === null ? null : recordTime(cost.deliveredAtMs),
    timeliness,
  }
}

/** A store that was removed from the account has no name any more. */
function storeNamed({ storeById }: Account, references: ReadonlyMap<string, string>, storeId: string) {
  const store = storeById.get(storeId)
  const reference = store?.reference ?? references.get(storeId) ?? storeId
  return { store_reference: reference, name: store?.name ?? reference }
}

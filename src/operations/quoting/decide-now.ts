import type { Decision } from '../../domain/quoting/decision.ts'
import { type AnyIntent, listIntents } from '../../store/deliveries/booking-intents.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { decideAsking, toStreet } from './quote-delivery.ts'
import { toJob } from './to-job.ts'

/** The services that could carry the delivery if it were booked now. Earlier refusals do not count. */
export async function decideNow(deps: Deps, entry: AccountEntry, row: DeliveryRow): Promise<Decision> {
  if (row.status === 'on_hold') return decideFor(deps, entry, row, [])
  return decideOpen(deps, entry, row, row.excluded_providers)
}

/** The services that could carry the delivery, without its current carrier and those it was reassigned from. */
export async function decideWithoutCurrentCarrier(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
): Promise<Decision> {
  return decideOpen(deps, entry, row, excludedByReassignment(row))
}

export function excludedByReassignment({
  excluded_providers,
  carrier_provider,
}: DeliveryRow): readonly string[] {
  return [...new Set([...excluded_providers, ...(carrier_provider === null ? [] : [carrier_provider])])]
}

async function decideOpen(deps: Deps, entry: AccountEntry, row: DeliveryRow, excluded: readonly string[]) {
  const [decision, intents] = await Promise.all([
    decideFor(deps, entry, row, excluded),
    listIntents(deps.db, row.account_id, row.delivery_id),
  ])
  return withoutRefused(decision, row, intents)
}

/** By the account as the delivery was decided with, and the carriers' own word of now. */
async function decideFor(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  excluded: readonly string[],
): Promise<Decision> {
  const account = await deps.accounts.atVersion(row.account_id, row.account_version)
  const { decision } = await decideAsking(deps, { ...entry, account }, toJob(account, toDelivery(row)), {
    dynamic: row.content.useDynamicRfp,
    street: toStreet(row.content),
    excluded,
  })
  return decision
}

type Refusable = Pick<DeliveryRow, 'refusals_valid_from_attempt' | 'content_version'>

/** A carrier's refusal is valid for the content it refused, until a person asks Drover to try that carrier again. */
export function listRefusingServices(
  { refusals_valid_from_attempt, content_version }: Refusable,
  intents: readonly AnyIntent[],
): ReadonlyMap<string, AnyIntent> {
  const holding = intents.filter(
    ({ state, attempt, contentVersion }) =>
      state === 'rejected' && attempt > refusals_valid_from_attempt && contentVersion === content_version,
  )
  return new Map(holding.map((intent) => [serviceKey(intent), intent]))
}

export function serviceKey({ provider, service }: { provider: string; service: string }): string {
  return `${provider}/${service}`
}

/** The decision for a booking: a service that has refused the delivery is not asked again, so it is no option. */
export function withoutRefused(decision: Decision, row: Refusable, intents: readonly AnyIntent[]): Decision {
  const refused = listRefusingServices(row, intents)
  if (refused.size === 0) return decision
  const isOpen = ({ service }: Decision['options'][number]) => !refused.has(serviceKey(service))
  const exclusions = decision.options.flatMap(({ service }) => {
    const intent = refused.get(serviceKey(service))
    if (!intent) return []
    const message = intent.message === null ? '.' : `: ${intent.message}`
    return [{ service, rule: 'refused' as const, detail: `${service.carrierName} refused it${message}` }]
  })
  return {
    ...decision,
    options: decision.options.filter(isOpen),
    exclusions: [...exclusions, ...decision.exclusions],
  }
}

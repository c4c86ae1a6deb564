import { SETTINGS_SCHEMAS } from '../../carriers/settings-schemas.ts'
import type { Account } from '../../domain/account/account.ts'
import type { Steps } from '../../domain/account/document/parse-in-steps.ts'
import { compileAccountInSteps } from '../../domain/account/snapshot/compile.ts'
import { readAccountInSteps } from '../../domain/account/validation/validate.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import { Refusal } from '../../domain/errors.ts'
import type { RateResponses } from '../../domain/quoting/carrier-rate.ts'
import { decide } from '../../domain/quoting/decide.ts'
import type { Option } from '../../domain/quoting/decision.ts'
import { jobParcels } from '../../domain/quoting/resolve/resolve-quote.ts'
import type { SimulatedDelivery } from '../../domain/quoting/simulation.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { listDeliveriesSince, listUnbookedDeliveries } from '../../store/deliveries/recent-deliveries.ts'
import { inTurns } from '../concurrency/in-turns.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { toJob } from './to-job.ts'

/** The newest are simulated; a decision takes about 0.1 ms. */
const MAX_UNBOOKED = 500
const MAX_LAST_WEEK = 1_000
const WEEK_MS = 7 * 86_400_000

export type SimulatedDeliveries = {
  deliveries: SimulatedDelivery[]
  /** False: there are more, and only the newest were simulated. */
  isComplete: boolean
}

/**
 * What an account document would have decided for the deliveries that no carrier has yet, and with `lastWeek` for those of
 * the last seven days. Each is decided at the time when it was created, under the settings in use and under the document.
 * Nothing is changed and no carrier is asked: a live price is the one that was quoted then. The store’s own couriers
 * are left out. Throws a Refusal `not_found`, or `invalid_request` if the document has mistakes.
 */
export async function simulateAccount(
  { db, accounts }: Pick<Deps, 'db' | 'accounts'>,
  accountId: string,
  given: unknown,
  { lastWeek }: { lastWeek: boolean },
): Promise<{ unbooked: SimulatedDeliveries; lastWeek: SimulatedDeliveries | null }> {
  const entry = await accounts.find(accountId)
  if (!entry) throw new Refusal('not_found', `There is no account ${accountId}.`)
  const after = await compileProposed(entry, given)
  const simulate = async (rows: readonly DeliveryRow[], max: number) => ({
    deliveries: await inTurns(simulateInSteps(entry.account, after, rows.slice(0, max))),
    isComplete: rows.length <= max,
  })
  const unbooked = await listUnbookedDeliveries(db, accountId, MAX_UNBOOKED + 1)
  return {
    unbooked: await simulate(unbooked, MAX_UNBOOKED),
    lastWeek: lastWeek
      ? await simulate(
          await listDeliveriesSince(db, accountId, Date.now() - WEEK_MS, MAX_LAST_WEEK + 1),
          MAX_LAST_WEEK,
        )
      : null,
  }
}

/** The document as a snapshot. Stores and brands that it adds have no ids yet, and no deliveries. */
async function compileProposed({ account }: AccountEntry, given: unknown): Promise<Account> {
  const { document } = await inTurns(readAccountInSteps(given, { adapters: SETTINGS_SCHEMAS }))
  if (!document) throw new Refusal('invalid_request', 'The account document has mistakes.')
  const idsOf = (
    parts: readonly { reference: string }[],
    known: readonly { reference: string; id: string }[],
  ) => {
    const ids = new Map(known.map(({ reference, id }) => [reference, id]))
    return new Map(parts.map(({ reference }) => [reference, ids.get(reference) ?? `new ${reference}`]))
  }
  return inTurns(
    compileAccountInSteps(document, {
      version: account.version + 1,
      storeIds: idsOf(document.stores, account.stores),
      brandIds: idsOf(document.brands, account.brands),
    }),
  )
}

function* simulateInSteps(
  before: Account,
  after: Account,
  rows: readonly DeliveryRow[],
): Steps<SimulatedDelivery[]> {
  const simulated: SimulatedDelivery[] = []
  for (const row of rows) {
    if (row.content.staffCourier) continue
    const delivery = toDelivery(row)
    const { option, ...others } = decideUnder(after, delivery)
    simulated.push({
      deliveryId: delivery.id,
      reference: delivery.reference,
      storeId: delivery.storeId,
      promised: delivery.window,
      before: decideUnder(before, delivery).option,
      after: option,
      ...others,
    })
    yield
  }
  return simulated
}

type Decided = { option: Option | null } & Pick<SimulatedDelivery, 'reason' | 'unknownCarriers'>

function decideUnder(account: Account, delivery: Delivery): Decided {
  if (!account.storeById.has(delivery.storeId))
    return { option: null, reason: 'The new settings remove the store.', unknownCarriers: [] }
  const [issue] = jobParcels(account, delivery.content.parcels).issues
  if (issue) return { option: null, reason: issue.message, unknownCarriers: [] }
  const job = { ...toJob(account, delivery), rateResponses: toQuotedThen(delivery) }
  const { options, exclusions } = decide(account, job, delivery.createdAtMs)
  const [option = null] = options
  if (option) return { option, reason: null, unknownCarriers: [] }
  // Of a carrier with live prices, only the chosen service's price was kept.
  const unpriced = exclusions.filter(({ service, rule }) => service.livePrice && rule === 'carrier_price')
  const unknownCarriers = [...new Set(unpriced.map(({ service }) => service.carrierName))]
  if (unknownCarriers.length > 0)
    return {
      option,
      reason: `Drover does not know the live prices of ${unknownCarriers.join(', ')}.`,
      unknownCarriers,
    }
  const own = exclusions.find(
    ({ service }) =>
      service.provider === delivery.chosen?.provider && service.carrierCode === delivery.chosen.carrierCode,
  )
  const reason = (own ?? exclusions[0])?.detail ?? 'No service can take this delivery.'
  return { option, reason, unknownCarriers }
}

/** The carrier's own price that the delivery was created with, for as long as it is needed here. */
function toQuotedThen({ chosen }: Delivery): RateResponses {
  if (!chosen?.quote) return new Map()
  const { carrierCode, provider, quote } = chosen
  const rate = {
    carrierCode,
    priceCents: quote.priceCents,
    lines: [{ name: 'carrier_price', cents: quote.priceCents, detail: null }] as const,
    quoteId: null,
    expiresAtMs: Number.POSITIVE_INFINITY,
    window: null,
  }
  return new Map([[provider, { kind: 'rates', byCode: new Map([[carrierCode, rate]]) }]])
}

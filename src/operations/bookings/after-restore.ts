import type { Carrier, Consignment } from '../../carriers/port/carrier.ts'
import type { Account } from '../../domain/account/account.ts'
import { can, STATUSES } from '../../domain/delivery/status.ts'
import { Refusal } from '../../domain/errors.ts'
import type { CarrierRate, RateResponses } from '../../domain/quoting/carrier-rate.ts'
import { decide } from '../../domain/quoting/decide.ts'
import type { Option } from '../../domain/quoting/decision.ts'
import {
  type Alternative,
  getLastAttempt,
  hasRequest,
  listIntents,
} from '../../store/deliveries/booking-intents.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import {
  listConnectedProcesses,
  listLostPeriodDeliveries,
  moveFeedBeyondCursors,
  openLostAttempt,
} from '../../store/restore/lost-periods.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { toJob } from '../quoting/to-job.ts'
import { toIntendedOption } from './book-delivery.ts'
import { toConsignment } from './consignment.ts'
import { RESTORED } from './look-up-lost-booking.ts'

/**
 * How many attempts of a delivery the lost period may have made. Within a pass, Drover makes one for each service that
 * can take the delivery, and most deliveries have one or two.
 */
const MAX_LOST_ATTEMPTS = 5
const PAGE = 200
const BOOKABLE = STATUSES.filter((status) => can('book', { status }))

type Restore = {
  /** The moment that the database was restored to, in wall time. */
  momentMs: number
  /** Providers whose staff say that they have no booking from after the moment. */
  withoutBookings: ReadonlySet<string>
}

/** `toLookUp`: deliveries that the workers look up first; `toAskStaff`: those of them that may be at carriers without a lookup. */
export type Prepared = { toLookUp: number; toAskStaff: number }

/**
 * Prepares a database that was restored to an earlier moment, before any process starts: moves the event feed beyond
 * the cursors of the lost period, and opens an attempt with an unknown outcome for each delivery that the lost period
 * may have booked (docs/decisions/0063-bookings-of-a-lost-period.md). Each delivery is one statement: a repeated run
 * continues where the last one ended. Refuses
 * `invalid_request` while other Drover processes are connected.
 */
export async function prepareAfterRestore(deps: Deps, restore: Restore): Promise<Prepared> {
  const processes = await listConnectedProcesses(deps.db)
  if (processes.length > 0) {
    throw new Refusal(
      'invalid_request',
      `Drover still runs on this database: ${processes.join(', ')}. It may book deliveries before they are looked up. Stop every Drover process, then run this again.`,
    )
  }
  await requireProviders(deps, restore)
  await moveFeedBeyondCursors(deps.db)
  const prepared = { toLookUp: 0, toAskStaff: 0 }
  for (const { accountId } of deps.accounts.list()) {
    const entry = await deps.accounts.find(accountId)
    if (entry) await prepareAccount(deps, entry, restore, prepared)
  }
  return prepared
}

async function requireProviders(deps: Deps, { withoutBookings }: Restore): Promise<void> {
  const known = new Set<string>()
  for (const { accountId } of deps.accounts.list()) {
    const entry = await deps.accounts.find(accountId)
    for (const { provider } of entry?.account.carriers ?? []) known.add(provider)
  }
  for (const provider of withoutBookings) {
    if (known.has(provider)) continue
    const names = [...known].sort().join(', ')
    throw new Refusal(
      'invalid_request',
      `--none-at ${provider} is no carrier of any account. Use the provider of one: ${names}.`,
    )
  }
}

async function prepareAccount(
  deps: Deps,
  entry: AccountEntry,
  restore: Restore,
  prepared: Prepared,
): Promise<void> {
  let after = ''
  for (;;) {
    const page = { momentMs: restore.momentMs, statuses: BOOKABLE, after, limit: PAGE }
    const rows = await listLostPeriodDeliveries(deps.db, entry.account.id, page)
    for (const row of rows) await prepareDelivery(deps, entry, row, restore, prepared)
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.delivery_id
  }
}

async function prepareDelivery(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  { momentMs, withoutBookings }: Restore,
  prepared: Prepared,
): Promise<void> {
  const { account_id: accountId, delivery_id: deliveryId, pending_attempt } = row
  const nowMs = entry.nowMs()
  const accountMomentMs = momentMs + entry.clockOffsetMs
  const account = await deps.accounts.atVersion(accountId, row.account_version)
  const intents = await listIntents(deps.db, accountId, deliveryId)
  const open = intents.find(({ attempt }) => attempt === pending_attempt)
  const attempt = open?.attempt ?? getLastAttempt(intents) + 1
  const key = `${deliveryId}-${attempt}`
  const candidates: { alternative: Alternative; consignment: Consignment; carrier: Carrier | null }[] = []
  for (const option of listOptions(account, row, [accountMomentMs, nowMs])) {
    const { provider, service } = option.service
    if (withoutBookings.has(provider)) continue
    const alternative = { provider, service, option: toIntendedOption(option, row.account_version) }
    const consignment = toConsignment(account, toDelivery(row), option, { key, askedAtMs: accountMomentMs })
    candidates.push({ alternative, consignment, carrier: await findCarrier(deps, accountId, provider) })
  }
  const silent = candidates.filter(({ carrier }) => !carrier?.find)
  // A person's answer is about the attempt's own carrier.
  const [first] = [...silent, ...candidates]
  const request =
    open && hasRequest(open)
      ? { ...open, consignment: open.consignment }
      : first && { ...first.alternative, key, consignment: first.consignment }
  if (!request) return
  const settles = candidates.map(({ carrier }) =>
    carrier?.recovery.kind === 'look_up' ? carrier.recovery.settleMs : 0,
  )
  const isOpened = await openLostAttempt(deps.db, row, {
    ...request,
    attempt,
    message: RESTORED,
    lostPeriod: {
      momentMs,
      lastAttempt: attempt + MAX_LOST_ATTEMPTS - 1,
      dueAtMs: row.due_at,
      alternatives: candidates.map(({ alternative }) => alternative),
    },
    momentMs: accountMomentMs,
    nowMs,
    settleMs: Math.max(0, ...settles),
  })
  if (!isOpened) return
  prepared.toLookUp += 1
  if (silent.length > 0) prepared.toAskStaff += 1
}

/**
 * The first option of each carrier that could have been booked, as decided at these moments of account time: a cut-off
 * between them excludes a carrier at one of them only. Carriers with prices of their own are not asked.
 */
function listOptions(account: Account, row: DeliveryRow, momentsMs: readonly number[]): Option[] {
  const job = { ...toJob(account, toDelivery(row)), rateResponses: toUnknownPrices(account) }
  const byProvider = new Map<string, Option>()
  for (const option of momentsMs.flatMap((atMs) => decide(account, job, atMs).options)) {
    if (!byProvider.has(option.service.provider)) byProvider.set(option.service.provider, option)
  }
  return [...byProvider.values()]
}

/** A price of zero for each service that has its carrier's own: the booking that is found has the real one. */
function toUnknownPrices({ services }: Account): RateResponses {
  const live = Map.groupBy(
    services.filter(({ livePrice }) => livePrice),
    ({ provider }) => provider,
  )
  const unknown = { priceCents: 0, lines: [], quoteId: null, expiresAtMs: 0, window: null }
  const toRate = (carrierCode: string): CarrierRate => ({ carrierCode, ...unknown })
  return new Map(
    [...live].map(([provider, own]) => {
      const byCode = new Map(own.map(({ carrierCode }) => [carrierCode, toRate(carrierCode)]))
      return [provider, { kind: 'rates' as const, byCode }]
    }),
  )
}

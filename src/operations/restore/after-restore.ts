import type { Carrier } from '../../carriers/port/carrier.ts'
import { countRetriesWithin } from '../../domain/delivery/backoff.ts'
import { can, STATUSES } from '../../domain/delivery/status.ts'
import { Refusal } from '../../domain/errors.ts'
import {
  type Alternative,
  type BookingIntent,
  getLastAttempt,
  hasRequest,
  listIntents,
  MAX_LOST_ATTEMPTS,
} from '../../store/deliveries/booking-intents.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import {
  listConnectedProcesses,
  listLostPeriodDeliveries,
  moveFeedBeyondCursors,
  openLostAttempt,
} from '../../store/restore/lost-periods.ts'
import { toConsignment } from '../bookings/consignment.ts'
import { RESTORED } from '../bookings/look-up-lost-booking.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { listAlternatives } from './list-alternatives.ts'

/** Looked up even if no worker booked the delivery in the lost period: a clerk may have, several times. */
const MIN_LOST_ATTEMPTS = 5
const PAGE = 200
const BOOKABLE = STATUSES.filter((status) => can('book', { status }))

type Restore = {
  /** The moment that the database was restored to, in wall time. */
  momentMs: number
  /** Providers whose staff say that they have no bookings made after the moment. */
  withoutBookings: ReadonlySet<string>
}

/** `toLookUp`: deliveries that the workers look up first; `toAskStaff`: those of them that may be at carriers without a lookup. */
export type Prepared = { toLookUp: number; toAskStaff: number }

/**
 * Prepares a database that was restored to an earlier moment, before any process starts: moves the event feed beyond
 * the cursors of the lost period, and opens an attempt with an unknown outcome for each delivery that the lost period
 * may have booked (docs/decisions/0063-bookings-of-a-lost-period.md). One statement opens each delivery's attempt, so a
 * repeated run continues where the last one ended. Refuses `invalid_request` while other Drover processes are
 * connected, and for a provider that no account has.
 */
export async function prepareAfterRestore(deps: Deps, restore: Restore): Promise<Prepared> {
  const processes = await listConnectedProcesses(deps.db)
  if (processes.length > 0) {
    throw new Refusal(
      'invalid_request',
      `Drover is still running on this database: ${processes.join(', ')}. It could book deliveries again before it has looked them up. Stop every Drover process, then run this command again.`,
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
      `No account has the carrier ${provider} that --none-at names. Use one of these: ${names}.`,
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
  const pending = intents.find(({ attempt }) => attempt === pending_attempt)
  const open = pending && hasRequest(pending) ? pending : null
  const attempt = open?.attempt ?? getLastAttempt(intents) + 1
  const key = `${deliveryId}-${attempt}`
  const listed = listAlternatives(account, row, [accountMomentMs, nowMs]).filter(
    ({ alternative }) => !withoutBookings.has(alternative.provider),
  )
  const known = open && !open.lostPeriod ? [toKnownAlternative(open)] : []
  const alternatives = [
    ...known,
    ...listed.flatMap(({ alternative }) => (known.some(isSameService(alternative)) ? [] : [alternative])),
  ]
  const carriers = new Map<string, Carrier | null>()
  for (const { provider } of alternatives)
    carriers.set(provider, await findCarrier(deps, accountId, provider))
  const isSilent = (provider: string) => !carriers.get(provider)?.find
  // A person's answer is about the attempt's own carrier.
  const first = listed.find(({ option }) => isSilent(option.service.provider)) ?? listed[0]
  const request =
    open ??
    (first && {
      ...first.alternative,
      key,
      consignment: toConsignment(account, toDelivery(row), first.option, { key, askedAtMs: accountMomentMs }),
    })
  if (!request) return
  const settles = [...carriers.values()].map((carrier) =>
    carrier?.recovery.kind === 'look_up' ? carrier.recovery.settleMs : 0,
  )
  // A run with another moment finds the attempt of the first run.
  const before = open?.lostPeriod ?? { dueAtMs: row.due_at, wasOnHold: row.status === 'on_hold' }
  const dueForMs = before.dueAtMs === null ? 0 : nowMs - Math.max(before.dueAtMs, accountMomentMs)
  const isOpened = await openLostAttempt(deps.db, row, {
    ...request,
    attempt,
    message: RESTORED,
    lostPeriod: {
      momentMs,
      lastAttempt: attempt + countLostAttempts(alternatives.length, dueForMs) - 1,
      dueAtMs: before.dueAtMs,
      wasOnHold: before.wasOnHold,
      isLookedUp: false,
      alternatives,
    },
    momentMs: accountMomentMs,
    nowMs,
    settleMs: Math.max(0, ...settles),
  })
  if (!isOpened) return
  prepared.toLookUp += 1
  if ([...carriers.keys()].some(isSilent)) prepared.toAskStaff += 1
}

/** The request that was open at the moment: what was sent is known. */
function toKnownAlternative({ provider, service, option }: BookingIntent): Alternative {
  return { provider, service, option, chargeCents: option.quote?.priceCents ?? null, markupPercent: null }
}

const isSameService = (one: Alternative) => (other: Alternative) =>
  one.provider === other.provider && one.service === other.service

/**
 * How many attempts the lost period may have made. Within a pass, Drover makes one for each service that can take the
 * delivery; after that, one for each retry at a carrier that could not take it yet. Clerks book at any time.
 */
function countLostAttempts(services: number, dueForMs: number): number {
  const attempts = services + countRetriesWithin(dueForMs, MAX_LOST_ATTEMPTS)
  return Math.min(MAX_LOST_ATTEMPTS, Math.max(MIN_LOST_ATTEMPTS, attempts))
}

import type { Carrier } from '../../carriers/port/carrier.ts'
import {
  type CarrierOutage,
  claimDueOutages,
  endOutage,
  openOutage,
  prolongOutage,
} from '../../store/carriers/carrier-outages.ts'
import { recallDeliveries } from '../../store/carriers/carrier-switches.ts'
import { withTransaction } from '../../store/db/pool.ts'
import type { Deps } from '../deps.ts'
import { type AccountEntry, carrierNamed } from '../directory/account-directory.ts'
import { dueAccountNows } from '../leases/claim.ts'

/** How often a carrier that doesn't answer is checked. */
const ASK_EVERY_MS = 30_000

/** Opens an outage for all processes, after one process's circuit breaker for the carrier opened. */
export async function recordOutage(deps: Deps, accountId: string, provider: string): Promise<void> {
  const entry = await deps.accounts.find(accountId)
  if (!entry) return
  const nowMs = entry.nowMs()
  await openOutage(deps.db, { accountId, provider }, { nowMs, dueAtMs: nowMs + ASK_EVERY_MS })
}

/** Leases up to `limit` due outages to this process. */
export async function claimOutages(deps: Deps, limit: number): Promise<CarrierOutage[]> {
  return claimDueOutages(deps.db, await dueAccountNows(deps, 'carrier outages'), {
    limit,
    leaseMs: deps.leaseMs,
  })
}

/**
 * Checks whether each carrier in an outage is back. If the outage outlasts the account's limit
 * (`replanWhenDarkMinutes`), we recall the uncollected deliveries, once: each is replanned when the carrier
 * has released it, and not before.
 */
export async function probeOutages(deps: Deps, due: readonly CarrierOutage[]): Promise<void> {
  await Promise.all(
    due.map((outage) =>
      watchOne(deps, outage).catch((error: unknown) =>
        deps.log.error(
          { err: error, provider: outage.provider },
          'an outage could not be probed; its lease will end',
        ),
      ),
    ),
  )
}

async function watchOne(deps: Deps, outage: CarrierOutage): Promise<void> {
  const { accountId, provider } = outage
  const entry = await deps.accounts.find(accountId)
  if (!entry) return
  const carrier = deps.carrierOf(entry, provider)
  if (!carrier || (await isBack(carrier))) {
    await endOutage(deps.db, outage)
    deps.log.info({ accountId, provider }, 'a carrier answers again')
    return
  }
  const nowMs = entry.nowMs()
  const dueAtMs = nowMs + ASK_EVERY_MS
  if (!isPatienceOver(entry, outage, nowMs)) {
    const { recallStartedAtMs } = outage
    await prolongOutage(deps.db, outage, { dueAtMs, recallStartedAtMs })
    return
  }
  const name = carrierNamed(entry, provider)?.name ?? provider
  const reason = `${name} does not answer. Drover plans the delivery again.`
  const asked = await withTransaction(deps.db, async (db) => {
    if (!(await prolongOutage(db, outage, { dueAtMs, recallStartedAtMs: nowMs }))) return 0
    return recallDeliveries(db, accountId, provider, { reason, manifested: false, nowMs })
  })
  deps.log.warn(
    { accountId, provider, asked },
    'a carrier outage continues: its uncollected deliveries are recalled',
  )
  if (asked > 0) deps.wake()
}

/**
 * A refusal is an answer: the carrier works. A carrier without a check counts as back; the next call shows
 * whether it is.
 */
async function isBack({ check }: Carrier): Promise<boolean> {
  if (!check) return true
  const outcome = await check()
  return outcome.kind === 'yes' || (outcome.kind === 'no' && outcome.retry !== 'later')
}

function isPatienceOver({ account }: AccountEntry, outage: CarrierOutage, nowMs: number): boolean {
  const { replanWhenDarkMinutes } = account.booking
  if (replanWhenDarkMinutes === null || outage.recallStartedAtMs !== null) return false
  return nowMs >= outage.startedAtMs + replanWhenDarkMinutes * 60_000
}

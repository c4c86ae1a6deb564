import type { App } from '../../src/bootstrap/composition-root.ts'
import type { Booking, Carrier, Consignment, Outcome } from '../../src/carriers/port/carrier.ts'
import { decide } from '../../src/domain/quoting/decide.ts'
import { toConsignment } from '../../src/operations/bookings/consignment.ts'
import { claimDeliveries, type DueDelivery } from '../../src/operations/deliveries/process-due-deliveries.ts'
import type { Deps } from '../../src/operations/deps.ts'
import { toChosenOption, toJob } from '../../src/operations/quoting/to-job.ts'
import { changeDelivery } from '../../src/store/deliveries/change-delivery.ts'
import { toDelivery } from '../../src/store/deliveries/delivery-rows.ts'
import { makeRunner } from '../../src/work/runner.ts'

/**
 * Seeded bugs (mutants) around the product's own parts. A harness that does not catch each of them proves nothing
 * about the product.
 *
 * - `new_key_each_try`: the idempotency key is made for each call instead of each booking
 * - `look_up_at_once`: no settle time before the look-up at a carrier
 * - `silence_means_no`: a carrier without a look-up is assumed not to have the booking
 * - `no_intent`: no intent is stored: the carrier is called, and only its response is stored
 */
export const SEEDED_BUGS = ['new_key_each_try', 'look_up_at_once', 'silence_means_no', 'no_intent'] as const
export type SeededBugName = (typeof SEEDED_BUGS)[number]

/** Seeds bugs in a process that has not started yet. */
export function seedBugs(parts: App, names: readonly SeededBugName[]): void {
  parts.deps.carrierOf = faultyCarriers(parts.deps, names)
  if (!names.includes('no_intent')) return
  const naive = makeRunner(parts.deps.log)
  naive.add({
    name: 'naive',
    concurrency: 100,
    claim: (limit) => claimDeliveries(parts.deps, limit),
    run: (due) => bookNaively(parts.deps, due),
  })
  Object.assign(parts.runner, naive)
}

/** The carriers, with the given bugs that concern carriers. */
export function faultyCarriers({ carrierOf }: Deps, names: readonly SeededBugName[]): Deps['carrierOf'] {
  return (accountId, provider) => {
    const carrier = carrierOf(accountId, provider)
    return carrier && names.reduce((worse, name) => (CARRIERS_WITH_BUG[name] ?? asItIs)(worse), carrier)
  }
}

const CARRIERS_WITH_BUG: Partial<Record<SeededBugName, (carrier: Carrier) => Carrier>> = {
  new_key_each_try: (carrier) =>
    carrier.recovery.kind !== 'idempotency_key'
      ? carrier
      : { ...carrier, book: (consignment) => carrier.book(underNewKey(consignment)) },
  look_up_at_once: (carrier) =>
    carrier.recovery.kind !== 'look_up'
      ? carrier
      : { ...carrier, recovery: { kind: 'look_up', settleMs: 0 } },
  silence_means_no: (carrier) =>
    carrier.recovery.kind !== 'neither'
      ? carrier
      : { ...carrier, recovery: { kind: 'look_up', settleMs: 0 }, find: findsNothing },
}

function asItIs(carrier: Carrier): Carrier {
  return carrier
}

function underNewKey(consignment: Consignment): Consignment {
  return { ...consignment, key: `${consignment.key}-${Math.random().toString(36).slice(2, 8)}` }
}

async function findsNothing(): Promise<Outcome<Booking | null>> {
  return { kind: 'yes', value: null }
}

/** Calls the best carrier and stores its acceptance; any other outcome is retried after the lease. */
export async function bookNaively(deps: Deps, due: readonly DueDelivery[]): Promise<void> {
  await Promise.all(
    due.map(async ({ row }) => {
      const account = await deps.accounts.atVersion(row.account_id, row.account_version)
      const nowMs = deps.accounts.find(row.account_id)?.nowMs() ?? Date.now()
      const [option] = decide(account, toJob(account, toDelivery(row)), nowMs).options
      const carrier = option && deps.carrierOf(row.account_id, option.service.provider)
      if (row.status !== 'requested' || !option || !carrier) return
      const key = `${row.delivery_id}-naive-${Math.random().toString(36).slice(2, 8)}`
      const answer = await carrier.book(
        toConsignment(account, toDelivery(row), option, { key, askedAtMs: nowMs }),
      )
      if (answer.kind !== 'yes') return
      await changeDelivery(
        deps.db,
        {
          accountId: row.account_id,
          deliveryId: row.delivery_id,
          nowMs,
          guard: { statuses: ['requested'] },
        },
        {
          status: 'booked',
          chosen: toChosenOption(option),
          consignment_number: answer.value.consignmentNumber,
          due_at: null,
        },
      )
    }),
  )
}

import type { App } from '../../src/bootstrap/composition-root.ts'
import type { Booking, Carrier, Consignment, Outcome } from '../../src/carriers/port/carrier.ts'
import { decide } from '../../src/domain/quoting/decide.ts'
import { toConsignment } from '../../src/operations/bookings/consignment.ts'
import { claimDeliveries, type DueDelivery } from '../../src/operations/deliveries/process-due-deliveries.ts'
import type { Deps } from '../../src/operations/deps.ts'
import { findCarrier } from '../../src/operations/directory/find-carrier.ts'
import { toChosenOption, toJob } from '../../src/operations/quoting/to-job.ts'
import { changeDelivery } from '../../src/store/deliveries/change-delivery.ts'
import { toDelivery } from '../../src/store/deliveries/delivery-rows.ts'
import { makeRunner } from '../../src/work/runner.ts'
import type { SeededBug } from '../harness/seeded-bugs.ts'

/** An orphaned booking, which breaks the same promise, is not enough. */
const DOUBLED = /was booked while|is left with two bookings/

/** Bugs in the booking of deliveries. */
export const SEEDED_BUGS = {
  /** The idempotency key is made for each call instead of each booking. */
  new_key_each_try: carrierBug('idempotency_key', (carrier) => ({
    book: (consignment) => carrier.book(underNewKey(consignment)),
  })),
  /** No settle time before the look-up at a carrier. */
  look_up_at_once: carrierBug('look_up', () => ({ recovery: { kind: 'look_up', settleMs: 0 } })),
  /** A carrier without a look-up is assumed not to have the booking. */
  silence_means_no: carrierBug('neither', () => ({
    recovery: { kind: 'look_up', settleMs: 0 },
    find: findsNothing,
  })),
  /** No intent is stored: the carrier is called, and only its response is stored. */
  no_intent: { breaks: 'booked once', as: DOUBLED, worker: bookWithoutIntent },
} as const satisfies Record<string, SeededBug>
export type SeededBugName = keyof typeof SEEDED_BUGS

/** A bug of each carrier that recovers from a lost response in this way. */
function carrierBug(kind: Carrier['recovery']['kind'], change: (carrier: Carrier) => Partial<Carrier>) {
  return {
    breaks: 'booked once',
    as: DOUBLED,
    worker({ deps }: { deps: Pick<Deps, 'carrierOf'> }) {
      const { carrierOf } = deps
      deps.carrierOf = (entry, provider) => {
        const carrier = carrierOf(entry, provider)
        return carrier?.recovery.kind === kind ? { ...carrier, ...change(carrier) } : carrier
      }
    },
  } as const
}

function bookWithoutIntent({ deps, runner }: App): void {
  const naive = makeRunner(deps.log)
  naive.add({
    name: 'naive',
    concurrency: 100,
    claim: (limit) => claimDeliveries(deps, limit),
    run: (due) => bookNaively(deps, due),
  })
  Object.assign(runner, naive)
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
      const nowMs = deps.accounts.nowMs(row.account_id)
      const [option] = decide(account, toJob(account, toDelivery(row)), nowMs).options
      const carrier = option && (await findCarrier(deps, row.account_id, option.service.provider))
      if (row.status !== 'requested' || !option || !carrier) return
      const key = `${row.delivery_id}-naive-${Math.random().toString(36).slice(2, 8)}`
      const answer = await carrier.book(
        toConsignment(account, toDelivery(row), option, { key, askedAtMs: nowMs }),
      )
      if (answer.kind !== 'yes') return
      const { account_id: accountId, delivery_id: deliveryId } = row
      await changeDelivery(
        deps.db,
        { accountId, deliveryId, nowMs, guard: { statuses: ['requested'] } },
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

import { sandboxUpdateSource } from '../carriers/sandbox/update-source.ts'
import { Refusal } from '../domain/errors.ts'
import { countedSource } from '../observability/counted-source.ts'
import { type RowFacts, tracedSource } from '../observability/traced-source.ts'
import type { Tracer } from '../observability/tracing/span.ts'
import { claimAllocations, runAllocations } from '../operations/allocation/run-allocations.ts'
import { claimSuperseded, reconcileBookings } from '../operations/bookings/reconcile-bookings.ts'
import { claimOutages, probeOutages } from '../operations/carriers/carrier-outages.ts'
import { type CarrierWebhook, receiveCarrierWebhook } from '../operations/carriers/receive-carrier-webhook.ts'
import { type InFlightByAccount, noneInFlight } from '../operations/concurrency/in-flight.ts'
import {
  batchKey,
  claimDeliveries,
  processDueDeliveries,
} from '../operations/deliveries/process-due-deliveries.ts'
import type { Deps } from '../operations/deps.ts'
import { dueAccountNows, type Leased } from '../operations/leases/claim.ts'
import {
  claimManifests,
  type DueManifest,
  processDueManifests,
} from '../operations/manifests/process-due-manifests.ts'
import { claimMessages, sendMessages } from '../operations/messages/send-messages.ts'
import {
  cancelOrphanedBookings,
  claimOrphanedBookings,
} from '../operations/orphaned-bookings/cancel-orphaned-bookings.ts'
import { makeWebhookClaimer, sendWebhooks } from '../operations/webhooks/send-webhooks.ts'
import type { DueAllocationJob } from '../store/allocation/allocation-jobs.ts'
import type { CarrierOutage } from '../store/carriers/carrier-outages.ts'
import type { DueDeliveryRow } from '../store/deliveries/due-deliveries.ts'
import type { OrphanedBooking } from '../store/deliveries/orphaned-bookings.ts'
import {
  QUARANTINE_SLOTS,
  type QuarantineSlots,
  quarantineTier,
} from '../store/leases/poison-row-quarantine.ts'
import type { DueMessage } from '../store/messages/due-messages.ts'
import {
  claimDueSandbox,
  type DueSandboxConsignment,
  deadLetterDueSandbox,
  settleDueSandbox,
} from '../store/sandbox/due-sandbox.ts'
import type { DueWebhookEndpoint } from '../store/webhooks/due-webhooks.ts'
import type { DueSource, Runner } from '../work/runner.ts'

const SANDBOX_LEASE_MS = 30_000
const SUSPECTS = { max: QUARANTINE_SLOTS, quarantineTier }

/** Adds a source for every kind of due row to the runner. */
export function addSources(
  runner: Runner,
  deps: Deps,
  nowMs: (accountId: string) => number,
  tracer: Tracer | null,
): void {
  // In-flight rows are counted per source: an account with many rows in flight in one source isn't delayed in
  // another.
  const addSource = <Row>(
    sourceWith: (inFlight: InFlightByAccount) => DueSource<Row>,
    about: (row: Row) => RowFacts,
  ): void => {
    const inFlight = noneInFlight()
    const counted = countedSource(sourceWith(inFlight), inFlight, (row) => about(row).accountId)
    runner.add(tracer ? tracedSource(counted, tracer, about) : counted)
  }
  const add = <Row>(
    name: string,
    concurrency: number,
    claim: (deps: Deps, limit: number, suspects: QuarantineSlots, isPoll: boolean) => Promise<Row[]>,
    run: (deps: Deps, due: readonly Row[]) => Promise<void>,
    about: (row: Row) => RowFacts,
    choice: Pick<DueSource<Row>, 'together' | 'suspects'> = {},
  ): void =>
    addSource(
      (inFlight) => ({
        name,
        concurrency,
        claim: (limit, suspects, isPoll) => claim({ ...deps, inFlight }, limit, suspects, isPoll),
        run: (due: readonly Row[]) => run(deps, due),
        ...choice,
      }),
      about,
    )
  // A receiver that doesn't answer uses a slot for 15 s: many may be down before the others wait.
  add('webhooks', 500, makeWebhookClaimer(), sendWebhooks, aboutWebhook, { suspects: SUSPECTS })
  add<Leased<DueDeliveryRow>>('deliveries', 100, claimDeliveries, processDueDeliveries, aboutDelivery, {
    together: batchKey,
    suspects: { max: QUARANTINE_SLOTS, quarantineTier: ({ row }) => quarantineTier(row) },
  })
  add('allocations', 20, claimAllocations, runAllocations, aboutAllocation)
  add('manifests', 20, claimManifests, processDueManifests, aboutManifest, {
    suspects: { max: QUARANTINE_SLOTS, quarantineTier: ({ row }) => quarantineTier(row) },
  })
  add('carrier outages', 10, claimOutages, probeOutages, aboutOutage)
  add('orphaned bookings', 20, claimOrphanedBookings, cancelOrphanedBookings, aboutOwned, {
    suspects: SUSPECTS,
  })
  add('superseded bookings', 20, claimSuperseded, reconcileBookings, aboutOwned, { suspects: SUSPECTS })
  // Separate sources, so that a hanging mail server doesn't block SMS; mail servers accept few connections at
  // once.
  for (const [kind, concurrency] of [
    ['sms', 50],
    ['email', 10],
  ] as const) {
    const claim = (deps: Deps, limit: number, suspects: QuarantineSlots) =>
      claimMessages(deps, kind, limit, suspects)
    add(kind, concurrency, claim, sendMessages, aboutMessage, { suspects: SUSPECTS })
  }
  addSource(
    (inFlight) =>
      sandboxUpdateSource({
        nowMs,
        wallMs: Date.now,
        secretKey: deps.secretKey,
        claim: async (limit) => {
          const nows = await dueAccountNows({ ...deps, inFlight }, 'sandbox')
          return claimDueSandbox(deps.db, nows, { limit, leaseMs: SANDBOX_LEASE_MS })
        },
        settle: (claim, pushed) => settleDueSandbox(deps.db, claim, pushed),
        deadLetter: (claim, reason) => deadLetterDueSandbox(deps.db, claim, reason),
        deliver: async (adapter, accountId, webhook) =>
          takenByOne(deps, await providersOf(deps, accountId, adapter), { accountId, ...webhook }),
      }),
    aboutSandboxUpdate,
  )
}

/** Span attributes of a row: only our own ids, because references and recipients identify people. */
const named =
  (key: string) =>
  (accountId: string, id: string, cause: string | null): RowFacts => ({
    accountId,
    cause,
    attributes: { 'drover.account.id': accountId, [key]: id },
  })
const ofDelivery = named('drover.delivery.id')
const ofManifest = named('drover.manifest.id')
const ofAllocation = named('drover.allocation.id')
const ofMessage = named('drover.message.id')
const ofEndpoint = named('drover.webhook_endpoint.id')
const ofCarrier = named('drover.carrier')

const aboutDelivery = ({ row }: Leased<DueDeliveryRow>) =>
  ofDelivery(row.account_id, row.delivery_id, row.traceparent)
const aboutManifest = ({ row }: DueManifest) => ofManifest(row.accountId, row.id, row.traceparent)
const aboutAllocation = (job: DueAllocationJob) => ofAllocation(job.accountId, job.jobId, job.traceparent)
const aboutMessage = (row: DueMessage) => ofMessage(row.account_id, row.message_id, row.traceparent)
const aboutWebhook = (row: DueWebhookEndpoint) => ofEndpoint(row.accountId, row.endpointId, null)
const aboutOutage = ({ accountId, provider }: CarrierOutage) => ofCarrier(accountId, provider, null)
const aboutOwned = ({ accountId, deliveryId }: Pick<OrphanedBooking, 'accountId' | 'deliveryId'>) =>
  ofDelivery(accountId, deliveryId, null)
const aboutSandboxUpdate = ({ accountId, carrier }: DueSandboxConsignment) =>
  ofCarrier(accountId, carrier, null)

/**
 * A sandbox carrier knows only its adapter's name; an account may give it another provider key, or have it
 * twice.
 */
async function providersOf({ accounts }: Deps, accountId: string, adapter: string): Promise<string[]> {
  const entry = await accounts.find(accountId)
  const carriers = entry ? [...entry.account.carriers, ...entry.removedCarriers.values()] : []
  return carriers.filter((carrier) => carrier.adapter === adapter).map(({ provider }) => provider)
}

/**
 * Whether our webhook endpoint would have answered 2xx: true if one provider finds events of its own in the
 * webhook, or if no provider refuses it.
 */
async function takenByOne(
  deps: Deps,
  providers: readonly string[],
  webhook: Omit<CarrierWebhook, 'provider'>,
): Promise<boolean> {
  let refused = providers.length === 0
  for (const provider of providers) {
    const accepted = await acceptedBy(deps, { provider, ...webhook })
    if (accepted) return true
    if (accepted === null) refused = true
  }
  return !refused
}

/** How many of its events were ours; null: the endpoint refuses the webhook. */
async function acceptedBy(deps: Deps, webhook: CarrierWebhook): Promise<number | null> {
  try {
    return (await receiveCarrierWebhook(deps, webhook)).accepted
  } catch (error) {
    if (!(error instanceof Refusal))
      deps.log.error({ err: error }, 'sandbox carrier updates could not be accepted')
    return null
  }
}

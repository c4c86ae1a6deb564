import { sandboxNewsSource } from './carriers/sandbox/news-source.ts'
import { Refusal } from './domain/errors.ts'
import { advanceDeliveries, claimDeliveries, trackedTogether } from './operations/advance-deliveries.ts'
import { advanceManifests, claimManifests } from './operations/advance-manifests.ts'
import { claimOutages, watchOutages } from './operations/carrier-outages.ts'
import { accountNows } from './operations/claim-due.ts'
import type { Deps } from './operations/deps.ts'
import { receiveCarrierNews } from './operations/receive-carrier-news.ts'
import { claimAllocations, runAllocations } from './operations/run-allocations.ts'
import { claimMessages, sendMessages } from './operations/send-messages.ts'
import { claimWebhooks, sendWebhooks } from './operations/send-webhooks.ts'
import { claimDueSandbox, parkDueSandbox, settleDueSandbox } from './store/due-sandbox.ts'
import type { DueSource, Runner } from './work/runner.ts'

const SANDBOX_LEASE_MS = 30_000

/** Gives the runner every kind of row that is ever due. */
export function addSources(runner: Runner, deps: Deps, nowMs: (accountId: string) => number): void {
  const add = <Row>(
    name: string,
    concurrency: number,
    claim: (deps: Deps, limit: number) => Promise<Row[]>,
    run: (deps: Deps, due: readonly Row[]) => Promise<void>,
    together?: DueSource<Row>['together'],
  ): void =>
    runner.add({
      name,
      concurrency,
      claim: (limit) => claim(deps, limit),
      run: (due: readonly Row[]) => run(deps, due),
      ...(together ? { together } : {}),
    })
  // A receiver that does not answer holds its place for 15 s: many may be dead before others wait.
  add('webhooks', 500, claimWebhooks, sendWebhooks)
  add('deliveries', 100, claimDeliveries, advanceDeliveries, trackedTogether)
  add('allocations', 20, claimAllocations, runAllocations)
  add('manifests', 20, claimManifests, advanceManifests)
  add('dark carriers', 10, claimOutages, watchOutages)
  // Apart, so that a mail server that hangs holds up no SMS; mail servers take few connections at once.
  add('sms', 50, (deps, limit) => claimMessages(deps, 'sms', limit), sendMessages)
  add('email', 10, (deps, limit) => claimMessages(deps, 'email', limit), sendMessages)
  runner.add(
    sandboxNewsSource({
      nowMs,
      wallMs: Date.now,
      secretKey: deps.secretKey,
      claim: (limit) => {
        const { accountIds, nowsMs } = accountNows(deps, ({ account }) => account.mode === 'sandbox')
        return claimDueSandbox(deps.db, accountIds, nowsMs, limit, SANDBOX_LEASE_MS)
      },
      settle: (claim, pushed) => settleDueSandbox(deps.db, claim, pushed),
      park: (claim, reason) => parkDueSandbox(deps.db, claim, reason),
      deliver: (provider, accountId, webhook) => taken(deps, { provider, accountId, ...webhook }),
    }),
  )
}

/** Whether our own door would have answered a carrier's webhook with 2xx. */
async function taken(deps: Deps, webhook: Parameters<typeof receiveCarrierNews>[1]): Promise<boolean> {
  try {
    await receiveCarrierNews(deps, webhook)
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) deps.log.error({ err: error }, 'carrier news could not be taken')
    return false
  }
}

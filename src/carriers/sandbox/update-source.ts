import type { SandboxConsignment, SandboxPushed } from './engine/sandbox-store.ts'
import { type DeliverWebhook, pushSandboxWebhook } from './push-webhook.ts'

type Due = SandboxConsignment & { claims: number; fence: number }

export type SandboxUpdateDeps = {
  nowMs(accountId: string): number
  wallMs(): number
  secretKey: string
  deliver: DeliverWebhook
  claim(limit: number): Promise<readonly Due[]>
  settle(claim: Due, pushed: SandboxPushed): Promise<boolean>
  deadLetter(claim: Due, reason: string): Promise<void>
}

/** After this many rejected pushes of one consignment, the carrier gives up. */
const MAX_REFUSED = 20

/** The sandbox carriers' webhook senders, as a source of due work. */
export function sandboxUpdateSource(deps: SandboxUpdateDeps) {
  return {
    name: 'sandbox events',
    concurrency: 50,
    claim: deps.claim,
    run: async (due: readonly Due[]): Promise<void> => {
      await Promise.all(
        due.map(async (claim) => {
          if (claim.claims > MAX_REFUSED) return deps.deadLetter(claim, 'The receiver refused it too often.')
          await deps.settle(claim, await pushSandboxWebhook(deps, claim, deps.deliver))
        }),
      )
    },
  }
}

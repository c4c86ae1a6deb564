import { z } from 'zod'
import { controlRoute } from './control-route.ts'
import type { FakeRoute } from './fake.ts'
import type { WebhookSender, WebhookTarget } from './webhook-sender.ts'

const every = z.number().int().min(1).nullable().default(null)
const TROUBLES = z.strictObject({ lost_every: every, repeated_every: every, overtaken_every: every })

/**
 * The owner's settings in the carrier's dashboard: `POST /_fake/webhooks` sets the target of webhooks
 * (`proof` has the carrier's own fields for it), `DELETE` removes it, `POST /_fake/webhook-troubles` sets
 * delivery faults.
 */
export function webhookControls<Proof extends { url: string }>(
  sender: WebhookSender,
  proof: z.ZodType<Proof>,
  targetOf: (given: Proof) => WebhookTarget,
): FakeRoute[] {
  return [
    controlRoute('/_fake/webhooks', proof, (given) => {
      sender.target = targetOf(given)
      return { status: 201, body: { url: given.url } }
    }),
    {
      name: 'control',
      method: 'DELETE',
      path: '/_fake/webhooks',
      answer() {
        sender.target = null
        return { status: 204 }
      },
    },
    controlRoute('/_fake/webhook-troubles', TROUBLES, ({ lost_every, repeated_every, overtaken_every }) => {
      sender.troubles = {
        lostEvery: lost_every,
        repeatedEvery: repeated_every,
        overtakenEvery: overtaken_every,
      }
    }),
  ]
}

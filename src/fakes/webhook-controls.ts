import { z } from 'zod'
import type { FakeRoute } from './fake.ts'
import { bodyOf } from './input.ts'
import type { WebhookSender, WebhookTarget } from './webhook-sender.ts'

const every = z.number().int().min(1).nullable().default(null)
const TROUBLES = z.strictObject({ lost_every: every, repeated_every: every, overtaken_every: every })

/**
 * What an owner does in the carrier's dashboard: `POST /_fake/webhooks` says where webhooks go (`proof` are the
 * carrier's own fields for it), `DELETE` that they go nowhere, `POST /_fake/webhook-troubles` what befalls them.
 */
export function webhookControls<Proof extends { url: string }>(
  sender: WebhookSender,
  proof: z.ZodType<Proof>,
  targetOf: (given: Proof) => WebhookTarget,
): FakeRoute[] {
  return [
    {
      name: 'control',
      method: 'POST',
      path: '/_fake/webhooks',
      answer(request) {
        const asked = bodyOf(request, proof)
        if (!asked.ok) return asked.answer
        sender.target = targetOf(asked.value)
        return { status: 201, body: { url: asked.value.url } }
      },
    },
    {
      name: 'control',
      method: 'DELETE',
      path: '/_fake/webhooks',
      answer() {
        sender.target = null
        return { status: 204 }
      },
    },
    {
      name: 'control',
      method: 'POST',
      path: '/_fake/webhook-troubles',
      answer(request) {
        const asked = bodyOf(request, TROUBLES)
        if (!asked.ok) return asked.answer
        const { lost_every, repeated_every, overtaken_every } = asked.value
        sender.troubles = {
          lostEvery: lost_every,
          repeatedEvery: repeated_every,
          overtakenEvery: overtaken_every,
        }
        return { status: 201, body: asked.value }
      },
    },
  ]
}

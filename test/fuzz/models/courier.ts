import { JPEG } from '../../driver.ts'
import { type Courier, expectAnswer, type Model, type ModelDelivery, type Real } from './model.ts'

export const STEPS = ['accept', 'collect', 'deliver', 'refuse'] as const
export type Step = (typeof STEPS)[number]

/**
 * The statuses from which a step is allowed, and its result; steps that the phone skipped are implied. A repeated
 * step returns the same response.
 */
const NEXT: Record<Step, { from: readonly ModelDelivery['status'][]; to: ModelDelivery['status'] }> = {
  accept: { from: ['requested', 'assigned'], to: 'assigned' },
  collect: { from: ['assigned', 'collected'], to: 'collected' },
  deliver: { from: ['assigned', 'collected'], to: 'delivered' },
  refuse: { from: ['requested', 'assigned'], to: 'on_hold' },
}

/** A courier does the next step, or a wrong step, or a step of another courier's job. */
export async function step(
  _: Model,
  real: Real,
  delivery: ModelDelivery,
  what: Step,
  courier: Courier,
): Promise<void> {
  const ask = real.asCourier(courier)
  const proof = { id: `proof-${delivery.id.slice(-12)}`, kind: 'photo', image: JPEG }
  const reply = await ask(`POST /driver/jobs/${delivery.id}/${what}`, {
    ...(what === 'deliver' ? { body: { proof } } : {}),
  })
  const { from, to } = NEXT[what]
  const isOwnJob = delivery.kind === 'own' && delivery.courier === courier
  if (isOwnJob && from.includes(delivery.status)) {
    expectAnswer(reply, '200')
    delivery.status = to
    return
  }
  // A repeat of the courier's own last step gets the same response and changes nothing, which is compared
  // afterwards.
  const mayRepeat = delivery.kind === 'own' && ['deliver', 'refuse'].includes(what)
  expectAnswer(reply, '404 not_found', '409 job_not_open', ...(mayRepeat ? ['200'] : []))
}

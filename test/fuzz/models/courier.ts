import { JPEG } from '../../driver.ts'
import { type Courier, expectAnswer, type Kept, type Model, type Real } from './model.ts'

export const STEPS = ['accept', 'collect', 'deliver', 'refuse'] as const
export type Step = (typeof STEPS)[number]

/**
 * The statuses from which a step is allowed, and its result; steps that the phone skipped are implied. A repeated
 * step returns the same response.
 */
const NEXT: Record<Step, { from: readonly Kept['status'][]; to: Kept['status'] }> = {
  accept: { from: ['requested', 'assigned'], to: 'assigned' },
  collect: { from: ['assigned', 'collected'], to: 'collected' },
  deliver: { from: ['assigned', 'collected'], to: 'delivered' },
  refuse: { from: ['requested', 'assigned'], to: 'on_hold' },
}

/** A courier does the next step, or a wrong step, or a step of another courier's job. */
export async function step(_: Model, real: Real, kept: Kept, what: Step, courier: Courier): Promise<void> {
  const ask = real.asCourier(courier)
  const proof = { id: `proof-${kept.id.slice(-12)}`, kind: 'photo', image: JPEG }
  const reply = await ask(`POST /driver/jobs/${kept.id}/${what}`, {
    ...(what === 'deliver' ? { body: { proof } } : {}),
  })
  const { from, to } = NEXT[what]
  const isHis = kept.kind === 'own' && kept.courier === courier
  if (isHis && from.includes(kept.status)) {
    expectAnswer(reply, '200')
    kept.status = to
    return
  }
  // A repeat of the courier's own last step gets the same response and changes nothing, which is compared
  // afterwards.
  const mayRepeat = kept.kind === 'own' && ['deliver', 'refuse'].includes(what)
  expectAnswer(reply, '404 not_found', '409 job_not_open', ...(mayRepeat ? ['200'] : []))
}

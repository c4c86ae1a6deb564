import { JPEG } from '../../driver.ts'
import { type Courier, expectAnswer, type Kept, type Model, type Real } from './model.ts'

export const STEPS = ['accept', 'collect', 'deliver', 'refuse'] as const
export type Step = (typeof STEPS)[number]

/** From which statuses a step may be done, and where it leads: what his phone never told is walked too. Done again, it answers the same. */
const NEXT: Record<Step, { from: readonly Kept['status'][]; to: Kept['status'] }> = {
  accept: { from: ['requested', 'assigned'], to: 'assigned' },
  collect: { from: ['assigned', 'collected'], to: 'collected' },
  deliver: { from: ['assigned', 'collected'], to: 'delivered' },
  refuse: { from: ['requested', 'assigned'], to: 'on_hold' },
}

/** A courier does the next thing, or something that is not the next, or with a job that is not his. */
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
  // What he has ended himself is answered again; nothing changes by it, as is compared afterwards.
  const mayRepeat = kept.kind === 'own' && ['deliver', 'refuse'].includes(what)
  expectAnswer(reply, '404 not_found', '409 job_not_open', ...(mayRepeat ? ['200'] : []))
}

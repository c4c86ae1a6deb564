import type { Delivery } from './delivery.ts'

type Held = Pick<Delivery, 'bookingAttempt' | 'pendingCancellation' | 'chosen' | 'content'>

/** The first row whose condition is true says what a person can do about a delivery on hold. */
const REMEDIES: readonly [when: (held: Held) => boolean, remedy: string][] = [
  [
    ({ bookingAttempt, pendingCancellation }) =>
      bookingAttempt === 'unanswered' && pendingCancellation !== null,
    'Ask the carrier whether they have it, then record their answer. It can’t be cancelled until you do.',
  ],
  [
    ({ bookingAttempt }) => bookingAttempt === 'unanswered',
    'Ask the carrier whether they have it, then record their answer. We won’t book another carrier until you do.',
  ],
  [
    ({ chosen }) => chosen?.held !== undefined,
    'Agree on another time with the customer, then book it again or amend it.',
  ],
  [({ content }) => content.staffCourier !== null, 'Assign it to another courier, or cancel it.'],
]
const OTHERWISE = 'Book it again, amend it or cancel it.'

/** What a person can do about a delivery that is on hold. `statusReason` says why it is on hold. */
export function findStatusRemedy(delivery: Held): string {
  return REMEDIES.find(([when]) => when(delivery))?.[1] ?? OTHERWISE
}

/** Why a delivery is on hold and what a person can do about it, as the end of an error's detail. */
export function reasonAndRemedy(delivery: Held & Pick<Delivery, 'statusReason'>): string {
  const reason = delivery.statusReason === null ? '' : `${delivery.statusReason} `
  return `${reason}${findStatusRemedy(delivery)}`
}

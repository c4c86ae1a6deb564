import type { Status } from './status.ts'

/**
 * The steps that a courier company's staff can report for a delivery, in the interface's words, and the
 * resulting status.
 */
export const COURIER_STEPS = {
  assigned: { status: 'assigned', subStatus: null, words: 'A driver has it to do.' },
  collected: { status: 'collected', subStatus: null, words: 'Collected.' },
  out_for_delivery: { status: 'collected', subStatus: 'out_for_delivery', words: 'Out for delivery.' },
  delivered: { status: 'delivered', subStatus: null, words: 'Delivered.' },
  attempted: { status: 'collected', subStatus: 'attempted', words: 'Could not be delivered; tried again.' },
  delayed: { status: null, subStatus: 'delayed', words: 'Delayed.' },
  damaged: { status: 'collected', subStatus: 'damaged', words: 'Damaged.' },
  coming_back: { status: 'pending_return', subStatus: null, words: 'Comes back to the sender.' },
  returned: { status: 'returned', subStatus: null, words: 'Back at the sender.' },
} as const satisfies Record<string, { status: Status | null; subStatus: string | null; words: string }>

export type CourierStep = keyof typeof COURIER_STEPS
export const COURIER_STEP_NAMES = Object.keys(COURIER_STEPS) as [CourierStep, ...CourierStep[]]

export function isCourierStep(word: string): word is CourierStep {
  return Object.hasOwn(COURIER_STEPS, word)
}

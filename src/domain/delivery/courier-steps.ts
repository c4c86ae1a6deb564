import type { Status } from './status.ts'

/**
 * The steps that a courier company's staff can report for a delivery, in the interface's words, and the
 * resulting status.
 */
export const COURIER_STEPS = {
  assigned: { status: 'assigned', subStatus: null, text: 'Assigned to a driver.' },
  collected: { status: 'collected', subStatus: null, text: 'Collected.' },
  out_for_delivery: { status: 'collected', subStatus: 'out_for_delivery', text: 'Out for delivery.' },
  delivered: { status: 'delivered', subStatus: null, text: 'Delivered.' },
  attempted: {
    status: 'collected',
    subStatus: 'attempted',
    text: 'Delivery attempted; they will try again.',
  },
  delayed: { status: null, subStatus: 'delayed', text: 'Delayed.' },
  damaged: { status: 'collected', subStatus: 'damaged', text: 'Damaged.' },
  coming_back: { status: 'pending_return', subStatus: null, text: 'On its way back to the sender.' },
  returned: { status: 'returned', subStatus: null, text: 'Returned to the sender.' },
} as const satisfies Record<string, { status: Status | null; subStatus: string | null; text: string }>

export type CourierStep = keyof typeof COURIER_STEPS
export const COURIER_STEP_NAMES = Object.keys(COURIER_STEPS) as [CourierStep, ...CourierStep[]]

export function isCourierStep(text: string): text is CourierStep {
  return Object.hasOwn(COURIER_STEPS, text)
}

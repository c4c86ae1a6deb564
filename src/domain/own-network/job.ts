import type { Account } from '../account/account.ts'
import type { Article } from '../delivery/delivery.ts'
import type { RequestParcel } from '../delivery/request.ts'
import type { Status } from '../delivery/status.ts'

/** When an offer made at `nowMs` expires and returns to the store. */
export function offerEndsMs({ ownNetwork }: Account, nowMs: number): number {
  return nowMs + ownNetwork.offerMinutes * 60_000
}

/**
 * Failed delivery: why a driver could not deliver, in words, and whether the parcel returns to the store at once.
 * `onlyFor`: reasons that the driver sees only with such goods. `supplyRefused`: the law forbids handing the goods over,
 * so the refusal is kept with its time, place and driver.
 */
export const FAIL_REASONS = {
  nobody_home: { text: 'Nobody was home.', goesBack: false },
  cannot_get_in: { text: 'The driver could not get in.', goesBack: false },
  other: { text: 'The driver could not deliver it.', goesBack: false },
  wrong_address: { text: 'The address is wrong.', goesBack: true },
  refused: { text: 'The customer refused it.', goesBack: true },
  damaged: { text: 'It is damaged.', goesBack: true },
  under_18: {
    text: 'Not handed over: the person is under 18.',
    goesBack: true,
    onlyFor: 'adult_goods',
    supplyRefused: true,
  },
  no_id: {
    text: 'Not handed over: the person has no ID.',
    goesBack: true,
    onlyFor: 'adult_goods',
    supplyRefused: true,
  },
  intoxicated: {
    text: 'Not handed over: the person is intoxicated.',
    goesBack: true,
    onlyFor: 'adult_goods',
    supplyRefused: true,
  },
  leaking: { text: 'It is damaged or leaking.', goesBack: true, onlyFor: 'dangerous_goods' },
  not_safe_to_carry: {
    text: 'It isn’t safe to carry any further.',
    goesBack: true,
    onlyFor: 'dangerous_goods',
  },
} as const satisfies Record<string, FailWords>
export type FailReason = keyof typeof FAIL_REASONS

type FailWords = {
  text: string
  goesBack: boolean
  onlyFor?: GoodsOfReason
  supplyRefused?: true
}
export type GoodsOfReason = 'adult_goods' | 'dangerous_goods'

/** The words of a reason, in the general form. */
export function failReason(reason: FailReason): FailWords {
  return FAIL_REASONS[reason]
}

/** Whether the driver had to refuse to hand the goods over, from the delivery's `sub_status`. */
export function isSupplyRefused(subStatus: string | null): boolean {
  const reason: FailWords | null =
    subStatus !== null && subStatus in FAIL_REASONS ? failReason(subStatus as FailReason) : null
  return reason?.supplyRefused === true
}

/** The reasons that fit what is carried, in the order in which a driver is asked: the special ones first. */
export function failReasonsFor(goods: ReadonlySet<GoodsOfReason>): FailReason[] {
  const all = Object.keys(FAIL_REASONS) as FailReason[]
  const special = all.filter((reason) => {
    const { onlyFor } = failReason(reason)
    return onlyFor !== undefined && goods.has(onlyFor)
  })
  return [...special, ...all.filter((reason) => failReason(reason).onlyFor === undefined)]
}

/** Proof of age: the kinds of ID that a driver may accept. The date of birth is looked at and never stored. */
export const ID_NAMES = {
  driver_licence: 'Driver licence',
  passport: 'Passport',
  proof_of_age_card: 'Proof of age card',
  digital_id: 'Digital ID',
  other: 'Another ID',
} as const
export type IdKind = keyof typeof ID_NAMES
export const ID_KINDS = Object.keys(ID_NAMES) as [IdKind, ...IdKind[]]

/** Statuses in which the driver has accepted the job and has not collected the parcels yet. */
export const BEFORE_COLLECTION: readonly Status[] = ['booked', 'assigned', 'approaching']

/** Our own consignment number. It stays the same when the delivery changes hands. */
export function toConsignmentNumber(deliveryId: string): string {
  return `OWN${deliveryId.slice(-12).toUpperCase()}`
}

/** One article for each unit of each parcel. */
export function generatedArticleIds(consignmentNumber: string, parcels: readonly RequestParcel[]): Article[] {
  let unit = 0
  return parcels.map(({ reference, quantity }) => ({
    parcelReference: reference,
    articleIds: Array.from({ length: quantity }, () => {
      unit += 1
      return `${consignmentNumber}${String(unit).padStart(3, '0')}`
    }),
  }))
}

/**
 * When a step was done: the phone's own time if it is plausible (a phone without signal reports late),
 * otherwise now; never before `lastMs`, the time of the step before it. A phone whose clock runs fast cannot
 * put events in the future.
 */
export function stepTime(
  reportedMs: number | null,
  { sinceMs, lastMs, nowMs }: { sinceMs: number; lastMs: number | null; nowMs: number },
): number {
  if (reportedMs === null || reportedMs < sinceMs || reportedMs > nowMs) return nowMs
  return Math.min(nowMs, Math.max(reportedMs, lastMs ?? sinceMs))
}

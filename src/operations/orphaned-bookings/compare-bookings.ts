import { can, isFinal } from '../../domain/delivery/status.ts'
import { Refusal } from '../../domain/errors.ts'
import {
  type ComparedBooking,
  listComparedBookings,
  mapDeliveriesToAccounts,
} from '../../store/restore/compared-bookings.ts'
import type { Deps } from '../deps.ts'
import { type AccountEntry, carrierNamed } from '../directory/account-directory.ts'

/** What a person has to do about a booking of the carrier's list. */
export type ComparedRow = { key: string; reference: string | null; action: 'none' | 'cancel'; reason: string }

/** `otherAccount`: the account that has the delivery, if another one does. */
type Compared = ComparedBooking & { otherAccount: string | null }

type Rule = readonly [
  when: (booking: Compared) => boolean,
  action: ComparedRow['action'],
  explain: (booking: Compared, nameOf: (provider: string) => string) => string,
]

const toDeliveryId = (key: string): string => key.slice(0, key.lastIndexOf('-'))
const attemptOf = ({ key }: ComparedBooking): number => Number(key.slice(key.lastIndexOf('-') + 1))
const isWaiting = ({ status }: ComparedBooking): boolean => status !== null && can('book', { status })

/** The first rule that holds says what to do. */
const RULES: readonly Rule[] = [
  [
    ({ otherAccount }) => otherAccount !== null,
    'none',
    ({ otherAccount }) =>
      `Its delivery belongs to account ${otherAccount}. Compare the list with that account.`,
  ],
  [({ status }) => status === null, 'cancel', () => 'The database has no such delivery.'],
  [
    ({ isInUse, status }) => isInUse && status !== 'cancelled',
    'none',
    () => 'Its delivery uses this booking.',
  ],
  [
    ({ status }) => status !== null && isFinal(status),
    'cancel',
    () => 'Its delivery has ended and doesn’t need this booking.',
  ],
  [({ isOwn }) => isOwn, 'cancel', () => 'Its delivery is for one of the store’s own couriers.'],
  [
    (booking) => isWaiting(booking) && !booking.isPrepared,
    'none',
    () => 'Its delivery is not booked. Run drover after-restore, so that the workers look it up.',
  ],
  [
    (booking) => isWaiting(booking) && attemptOf(booking) <= (booking.lastLookedUp ?? 0),
    'none',
    () => 'Its delivery is not booked. The workers look it up.',
  ],
  [isWaiting, 'cancel', () => 'Its delivery is not booked, and the workers won’t look up this booking.'],
]
const explainOther: Rule[2] = ({ provider, consignmentNumber }, nameOf) => {
  const name = nameOf(provider ?? '')
  return `Its delivery is booked with ${name}, consignment ${consignmentNumber}. Ask ${name} whether they still have that consignment. If they don’t, reassign the delivery.`
}

/**
 * Compares a carrier's list of bookings with the database, after a restore to an earlier moment. `keys`: ours, as the
 * list has them. Refuses `not_found` for a carrier that the account never had.
 */
export async function compareBookings(
  { db, accounts }: Pick<Deps, 'db' | 'accounts'>,
  entry: AccountEntry,
  provider: string,
  keys: readonly string[],
): Promise<ComparedRow[]> {
  const accountId = entry.account.id
  const nameOf = (one: string) => carrierNamed(entry, one)?.name ?? one
  if (!carrierNamed(entry, provider)) {
    const names = entry.account.carriers.map((carrier) => carrier.provider).join(', ')
    throw new Refusal('not_found', `${accountId} has no carrier ${provider}. Use one of these: ${names}.`)
  }
  const compared = await listComparedBookings(db, accountId, provider, keys)
  const missing = compared.filter(({ status }) => status === null).map(({ key }) => toDeliveryId(key))
  const others = accounts.list().flatMap((other) => (other.accountId === accountId ? [] : [other.accountId]))
  const elsewhere = await mapDeliveriesToAccounts(db, others, missing)
  return compared.map((one) => {
    const booking = { ...one, otherAccount: elsewhere.get(toDeliveryId(one.key)) ?? null }
    const [, action, explain] = RULES.find(([when]) => when(booking)) ?? [
      null,
      'cancel' as const,
      explainOther,
    ]
    return { key: booking.key, reference: booking.reference, action, reason: explain(booking, nameOf) }
  })
}

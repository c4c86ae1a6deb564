import { good, nameOf } from '../../harness/http.ts'
import { roadOrderOf } from '../../harness/orders.ts'
import { until } from '../../wait-until.ts'
import { type Race, unheardOf } from './race.ts'

const AMENDED = 'Ring twice, please.'
const ORIGINAL = 'Ring once, please.'
const TOO_LATE = [
  '409 delivery_already_consigned',
  '409 booking_in_progress',
  '409 version_conflict',
  '409 not_amendable',
]
/** Due at once, so that a worker claims it. */
const SOON = { ready_for_pickup_at: '2026-11-24T10:30:00+11:00' }

/** In turn the rival is the worker, or a clerk who books it through the other API process. */
export const amendAndBook: Race = {
  promise:
    'an amendment is booked with its values, or rejected; it is never acknowledged and booked with the old values',
  contenders: 2,
  async run({ system: { apis }, number, store, random }) {
    const reference = `AMEND-${number}`
    const byWorker = number % 2 === 0
    const [one, other] = random.chance(0.5) ? apis : [apis[1], apis[0]]
    const body = roadOrderOf(store, reference, {
      special_instructions: ORIGINAL,
      ...(byWorker ? SOON : {}),
    })
    const { id } = await good(one('POST /demo/deliveries', { body }))
    const book = () => other(`PATCH /demo/deliveries/${id}/book`)
    const amend = () =>
      one(`PATCH /demo/deliveries/${id}/amend`, {
        body: { ready_for_pickup_at: SOON.ready_for_pickup_at, special_instructions: AMENDED },
      })
    const [amended, booked] = await Promise.all([amend(), byWorker ? null : book()])
    const delivery = await until(async () => {
      const found = await good(one(`GET /demo/deliveries/${id}`))
      return found.status === 'requested' ? null : found
    })
    const message = amended.status === 200 ? AMENDED : ORIGINAL
    return {
      ended: amended.status === 200 ? 'amended first' : `booked first (${nameOf(amended)})`,
      wrong: [
        ...unheardOf([amended], ['200', ...TOO_LATE]),
        ...(booked ? unheardOf([booked], ['200', '409 not_bookable']) : []),
        ...(delivery.special_instructions === message
          ? []
          : [`${reference} has "${delivery.special_instructions}" after ${nameOf(amended)}`]),
        ...(delivery.consignment_number ? [] : [`${reference} is ${delivery.status} without a consignment`]),
      ],
    }
  },
  /** The carrier has the merchant's last values, once for each delivery. */
  async audit({ db }) {
    const { rows } = await db.query<{ reference: string; bookings: number; booked: string; current: string }>(
      `select d.reference, count(c.consignment_number)::int as bookings,
         string_agg(c.request->'shipments'->0->>'deliveryInstructions', ' and ') as booked,
         d.content->>'specialInstructions' as current
       from deliveries d left join sandbox_consignments c
         on c.account_id = d.account_id and c.merchant_reference = d.reference and c.cancelled_at is null
       where d.reference like 'AMEND-%' group by d.account_id, d.delivery_id
       having count(c.consignment_number) <> 1
         or bool_or(c.request->'shipments'->0->>'deliveryInstructions' is distinct from d.content->>'specialInstructions')`,
    )
    return rows.map(
      ({ reference, bookings, booked, current }) =>
        `${reference} has "${current}"; ${bookings} booked with "${booked}"`,
    )
  },
}

import { good, nameOf } from '../../harness/http.ts'
import { roadOrderOf } from '../../harness/orders.ts'
import { until } from '../../wait-until.ts'
import { type Race, unheardOf } from './race.ts'

/** One clerk names both, one names the second, one takes all that are booked. */
export const twoManifests: Race = {
  promise:
    'each delivery goes on one manifest; the later request gets the rest, or an error that names the deliveries already on a manifest',
  contenders: 3,
  async run({ system: { apis }, number, store, random }) {
    const references = [`HAND-${number}-A`, `HAND-${number}-B`]
    const ids: string[] = await Promise.all(
      references.map(async (reference) => {
        const body = roadOrderOf(store, reference, { book_delivery_now: true })
        const { id } = await good(apis[0]('POST /demo/deliveries', { body }))
        return until(async () => {
          const { status } = await good(apis[0](`GET /demo/deliveries/${id}`))
          return status === 'requested' ? null : id
        })
      }),
    )
    const requests = [{ delivery_references: references }, { delivery_references: references.slice(1) }, {}]
    const clerks = requests.map((request) => {
      const body = { store_reference: store, create_manifest_now: true, ...request }
      return { api: apis[random.below(2) as 0 | 1], body }
    })
    if (random.chance(0.5)) clerks.reverse()
    const answers = await Promise.all(
      clerks.map(({ api, body }) => api('POST /demo/store-manifests', { body })),
    )
    const taken = answers.flatMap(({ status, json }) =>
      status === 201 ? json.data.map((one: { delivery_ids: string[] }) => one.delivery_ids) : [],
    )
    const listed: string[] = taken.flat()
    return {
      ended: answers
        .map((answer, at) => `${wordOf(clerks[at]?.body)} ${nameOf(answer)}`)
        .sort()
        .join(', '),
      wrong: [
        ...unheardOf(answers, ['201', '422 deliveries_not_eligible', '422 invalid_request']),
        ...ids.flatMap((id, at) => {
          const times = listed.filter((one) => one === id).length
          return times === 1 ? [] : [`${references[at]} is on ${times} manifests`]
        }),
      ],
    }
  },
  /** On one manifest of ours and in one order of the carrier. */
  async audit({ db }) {
    const { rows } = await db.query<{ reference: string; held: number; ordered: number }>(
      `select d.reference, count(distinct m.manifest_id)::int as held, count(distinct c.order_id)::int as ordered
       from deliveries d
       left join manifest_deliveries m on m.account_id = d.account_id and m.delivery_id = d.delivery_id and m.held
       left join sandbox_consignments c on c.account_id = d.account_id and c.merchant_reference = d.reference
       where d.reference like 'HAND-%' group by d.account_id, d.delivery_id
       having count(distinct m.manifest_id) <> 1 or count(distinct c.order_id) <> 1`,
    )
    return rows.map(
      ({ reference, held, ordered }) => `${reference} is on ${held} manifests and in ${ordered} orders`,
    )
  },
}

function wordOf(body: { delivery_references?: string[] } | undefined): string {
  return body?.delivery_references ? `${body.delivery_references.length} named` : 'all'
}

import { fromAddress, good, nameOf } from '../../harness/http.ts'
import { orderOf } from '../../harness/orders.ts'
import { type Race, unheardOf } from './race.ts'

/** Every other time the store revokes the link at that moment. */
export const oneLink: Race = {
  promise: 'a link is booked once, and every caller sees that booking; a revoked one is never booked',
  contenders: 5,
  async run({ system: { apis }, number, store }) {
    const reference = `LINK-${number}`
    const withdrawn = number % 2 === 0
    const { id, link } = await good(apis[0]('POST /demo/links', { body: orderOf(store, reference) }))
    const path = `/l/${new URL(link).pathname.split('/').at(-1)}`
    const headers = fromAddress(number)
    const verify = apis[1](`POST ${path}/verify`, { token: null, headers, body: { reference } })
    const { session } = await good(verify)
    const book = (api: 0 | 1) =>
      apis[api](`POST ${path}/book`, {
        ...{ token: null, body: { delivery_type: 'standard' } },
        headers: { ...headers, 'link-session': session },
      })
    const revoke = () => (withdrawn ? apis[1](`DELETE /demo/links/${id}`) : book(1))
    const [revoked, ...books] = await Promise.all([revoke(), book(0), book(1), book(0), book(1)])
    const answers = withdrawn ? books : [revoked, ...books]
    const found = (await good(apis[0](`GET /demo/deliveries?reference=${reference}`))) as { id: string }[]
    const firsts = answers.filter(({ status }) => status === 201).length
    const shown = new Set(answers.flatMap(({ json }) => json?.data?.tracking_url ?? []))
    return {
      ended: found.length === 0 ? 'revoked first' : 'booked first',
      wrong: [
        ...unheardOf(answers, withdrawn ? ['200', '201', '410 link_revoked'] : ['200', '201']),
        ...(withdrawn ? unheardOf([revoked], ['204', '200']) : []),
        ...(found.length === firsts && firsts === (withdrawn ? found.length : 1)
          ? []
          : [`${reference}: ${answers.map(nameOf).join(', ')}, and ${found.length} deliveries`]),
        ...(shown.size <= 1 ? [] : [`${reference} was shown as ${shown.size} bookings`]),
      ],
    }
  },
  async audit({ db }) {
    const { rows } = await db.query<{ reference: string; made: number }>(
      `select reference, count(*)::int as made from deliveries where reference like 'LINK-%'
       group by account_id, reference having count(*) > 1`,
    )
    return rows.map(({ reference, made }) => `${reference} was booked ${made} times`)
  },
}

import { type Ask, nameOf, type Reply } from '../../harness/http.ts'
import { roadOrderOf } from '../../harness/orders.ts'
import { until } from '../../wait-until.ts'
import { type Race, unheardOf } from './race.ts'

/** Every other time all of them use the same key. */
export const oneReference: Race = {
  promise: 'concurrent creates of one reference make one delivery in a store; another store may use it too',
  contenders: 5,
  async run({ system: { apis }, number, store, otherStore }) {
    const reference = `ONE-${number}`
    const keyed = number % 2 === 0
    const ask = (api: Ask, at: string) =>
      sendUntilDone(api, {
        body: roadOrderOf(at, reference),
        headers: keyed && at === store ? { 'idempotency-key': reference } : {},
      })
    const [other, ...same] = (await Promise.all([
      ask(apis[0], otherStore),
      ...[0, 1, 0, 1].map((api) => ask(apis[api as 0 | 1], store)),
    ])) as [Reply, ...Reply[]]
    const made = same.filter(({ status, headers }) => status === 201 && !headers['idempotent-replayed'])
    const ids = new Set(same.map(({ json }) => json?.data?.id ?? json?.delivery_id))
    return {
      ended: keyed ? 'one created, the others got its response' : 'one created, the others rejected',
      wrong: [
        ...unheardOf([other], ['201']),
        ...unheardOf(same, keyed ? ['201'] : ['201', '409 duplicate_reference']),
        ...(made.length === 1 ? [] : [`${made.length} got a 201 for ${reference}`]),
        ...(ids.size === 1 ? [] : [`${reference} is ${[...ids].join(' and ')}`]),
      ],
    }
  },
  async audit({ db }) {
    const { rows } = await db.query<{ reference: string; made: number }>(
      `select reference, count(*)::int as made from deliveries where reference like 'ONE-%'
       group by account_id, reference, store_id having count(*) > 1`,
    )
    return rows.map(({ reference, made }) => `${reference} exists ${made} times in one store`)
  },
}

/** Retries under its key while the first request still runs, as the 409 says. */
function sendUntilDone(api: Ask, call: Parameters<Ask>[1]): Promise<Reply> {
  return until(async () => {
    const reply = await api('POST /demo/deliveries', call)
    return nameOf(reply) === '409 idempotency_in_progress' ? null : reply
  })
}

import type { Carrier } from '../../src/carriers/carrier.ts'
import type { Deps } from '../../src/operations/deps.ts'

/**
 * The same deps, telling of every step that is done: a statement by its name, a carrier's answer by its
 * question. Nothing of ours happens between two steps, so to die after each of them is to die everywhere.
 */
export function stepped(deps: Deps, passed: (step: string) => void): Deps {
  const query = async (...args: Parameters<Deps['db']['query']>) => {
    const answer = await deps.db.query(...args)
    passed(nameOf(args[0]))
    return answer
  }
  // Of a transaction only its end is a step: whoever dies before it has done nothing.
  const connect = async () => {
    const client = await deps.db.connect()
    const within = async (...args: Parameters<typeof client.query>) => {
      const answer = await client.query(...args)
      if (args[0] === COMMIT) passed(COMMIT)
      return answer
    }
    return Object.assign(Object.create(client), { query: within })
  }
  return {
    ...deps,
    db: Object.assign(Object.create(deps.db), { query, connect }),
    carrierOf: (accountId, provider) => {
      const carrier = deps.carrierOf(accountId, provider)
      return carrier && steppedCarrier(carrier, passed)
    },
  }
}

const COMMIT = 'commit'

function steppedCarrier(carrier: Carrier, passed: (step: string) => void): Carrier {
  const after = async <T>(step: string, answer: Promise<T>): Promise<T> => {
    const told = await answer
    passed(step)
    return told
  }
  const { find, cancel } = carrier
  return {
    ...carrier,
    book: (consignment) => after('carrier books', carrier.book(consignment)),
    ...(find ? { find: (...asked) => after('carrier finds', find(...asked)) } : {}),
    ...(cancel ? { cancel: (number) => after('carrier cancels', cancel(number)) } : {}),
  }
}

/** `changeDelivery` builds its text as it goes, so that it has no name of its own. */
function nameOf(query: unknown): string {
  return (query as { name?: string }).name ?? 'change-delivery'
}

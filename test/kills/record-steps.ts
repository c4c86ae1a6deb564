import type { Carrier } from '../../src/carriers/port/carrier.ts'
import type { Deps } from '../../src/operations/deps.ts'
import { batchedCreate } from '../../src/store/creates/batched-create.ts'
import { batchedFind } from '../../src/store/deliveries/deliveries.ts'

/**
 * The same deps, with a report of every completed step: a statement by its name, the response of a carrier or of a
 * receiver by its operation. Our code has no effect between two steps, so crashes after each step cover every crash
 * point.
 */
export function recordSteps(deps: Deps, passed: (step: string) => void): Deps {
  const query = async (...args: Parameters<Deps['db']['query']>) => {
    const answer = await deps.db.query(...args)
    passed(nameOf(args[0]))
    return answer
  }
  // A transaction is one step, its commit: a crash before it leaves no change.
  const connect = async () => {
    const client = await deps.db.connect()
    const within = async (...args: Parameters<typeof client.query>) => {
      const answer = await client.query(...args)
      if (args[0] === COMMIT) passed(COMMIT)
      return answer
    }
    return Object.assign(Object.create(client), { query: within })
  }
  const db: Deps['db'] = Object.assign(Object.create(deps.db), { query, connect })
  return {
    ...deps,
    db,
    createDelivery: batchedCreate(db),
    findDelivery: batchedFind(db),
    carrierOf: (entry, provider) => {
      const carrier = deps.carrierOf(entry, provider)
      return carrier && recordCarrierSteps(carrier, passed)
    },
    postWebhook: async (...request) => {
      const answer = await deps.postWebhook(...request)
      passed('receiver hears')
      return answer
    },
  }
}

const COMMIT = 'commit'

function recordCarrierSteps(carrier: Carrier, passed: (step: string) => void): Carrier {
  const after = async <T>(step: string, answer: Promise<T>): Promise<T> => {
    const outcome = await answer
    passed(step)
    return outcome
  }
  const { find, cancel, manifest } = carrier
  return {
    ...carrier,
    book: (consignment) => after('carrier books', carrier.book(consignment)),
    ...(find ? { find: (...request) => after('carrier finds', find(...request)) } : {}),
    ...(cancel ? { cancel: (number) => after('carrier cancels', cancel(number)) } : {}),
    ...(manifest ? { manifest: recordManifestSteps(manifest, after) } : {}),
  }
}

type Manifest = NonNullable<Carrier['manifest']>

function recordManifestSteps(
  manifest: Manifest,
  after: <T>(step: string, answer: Promise<T>) => Promise<T>,
): Manifest {
  const { find } = manifest
  return {
    ...manifest,
    submit: (order) => after('carrier lodges', manifest.submit(order)),
    ...(find ? { find: (...request) => after('carrier finds the order', find(...request)) } : {}),
  }
}

/** Changes of deliveries build their statement, which has a name once it is frequent: they are all one step. */
function nameOf(query: unknown): string {
  const name = (query as { name?: string }).name ?? 'change-delivery'
  return name.startsWith('change-deliver') ? 'change-delivery' : name
}

import { prepareValue } from 'pg/lib/utils'
import { composeApp } from '../../src/bootstrap/composition-root.ts'
import { deliveryWith } from '../../src/http/api/deliveries/delivery-answer.ts'
import type { DeliveryRequestBody } from '../../src/http/api/deliveries/delivery-request-schema.ts'
import { toDeliveryRequest } from '../../src/http/api/deliveries/delivery-request-wire.ts'
import type { HttpDeps } from '../../src/http/contract/deps.ts'
import { json } from '../../src/http/contract/endpoint.ts'
import { storable } from '../../src/http/idempotency/idempotency.ts'
import { makeLog } from '../../src/log.ts'
import { createDelivery } from '../../src/operations/deliveries/create-delivery.ts'
import { SCOPES } from '../../src/operations/directory/caller.ts'
import type { Db } from '../../src/store/db/db.ts'
import { createDeliveries, type NewDelivery } from '../../src/store/deliveries/create-deliveries.ts'
import { findDelivery } from '../../src/store/deliveries/deliveries.ts'
import { deliveryBody } from '../figures/delivery.ts'
import { type Statement, UNIQUE, UNIQUE_DIGITS } from './statement.ts'

/** The service's statements for one create and for one get, from its own code, and rows for the get. */
export type RealStatements = {
  create: Statement
  get: Statement
  rowsToGet: { prefix: string; count: number }
}

const ROWS_TO_GET = 1_000
/** Ids of the usual length; they need not exist, because lists return the rows that do. */
const ROW_PREFIX = 'dlv_01m7zd0000000000'
const LIMIT_PREFIX = 'dlv_01m7zd0000000001'

/** Runs an operation on the database up to its statement, and captures the statement. */
export async function realStatements(databaseUrl: string): Promise<RealStatements> {
  const parts = composeApp({
    config: { secretKey: 'a key for documents of the benchmark', publicUrl: 'http://127.0.0.1:8080' },
    databaseUrl,
    name: 'bench',
    log: makeLog('silent'),
  })
  await parts.start({ work: false })
  try {
    const made = await aNewDelivery(parts.deps as HttpDeps)
    const rows = Array.from({ length: ROWS_TO_GET }, (_, n) =>
      named(made, 'seed', `${ROW_PREFIX}${String(n + 1).padStart(UNIQUE_DIGITS, '0')}`),
    )
    await createDeliveries(parts.deps.db, rows)
    return {
      create: await statementOf((db) =>
        createDeliveries(db, [named(made, 'limit', `${LIMIT_PREFIX}${UNIQUE}`)]),
      ),
      get: await statementOf((db) => findDelivery(db, made.account_id, `${ROW_PREFIX}${UNIQUE}`)),
      rowsToGet: { prefix: ROW_PREFIX, count: ROWS_TO_GET },
    }
  } finally {
    await parts.stop()
  }
}

async function aNewDelivery(deps: HttpDeps): Promise<NewDelivery> {
  const entry = await deps.accounts.find('demo')
  if (!entry) throw new Error('The demo account does not exist.')
  const taken: NewDelivery[] = []
  const createNothing = async (delivery: NewDelivery) => taken.push(delivery) > 0
  const caller = { clientId: 'bench', scopes: new Set(SCOPES), storeReferences: null }
  const body = deliveryBody('taken') as DeliveryRequestBody
  await createDelivery({ ...deps, createDelivery: createNothing }, entry, caller, toDeliveryRequest(body), {
    idempotency: { key: 'taken', fingerprint: Buffer.alloc(32, 7) },
    act: {
      kind: 'client',
      actor: 'bench',
      action: 'createDelivery',
      ip: '127.0.0.1',
      requestId: 'req_bench',
    },
    answer: (delivery) => {
      const store = entry.account.storeById.get(delivery.storeId)
      if (!store) throw new Error('The store does not exist.')
      return storable(json(201, { data: deliveryWith(deps, entry, delivery, store) }))
    },
  })
  return taken[0] as NewDelivery
}

/** The same delivery with other values in all unique columns. */
function named(made: NewDelivery, who: string, id: string): NewDelivery {
  const key = `${who}-${id}`
  return {
    ...made,
    delivery_id: id,
    reference: key,
    createdEventId: `evt_c${id}`,
    requestedEventId: `evt_r${id}`,
    idempotency: made.idempotency && { ...made.idempotency, key },
    audit: made.audit && { ...made.audit, audit_id: `aud_${id}`, object: id },
  }
}

/** The statement of a function of the store, with its values as text as the driver would write them. */
async function statementOf(send: (db: Db) => Promise<unknown>): Promise<Statement> {
  const sent: { text: string; values: unknown[] }[] = []
  const recorder = {
    query: async (query: { text: string; values: unknown[] }) => {
      sent.push(query)
      return { rows: [] }
    },
  }
  await send(recorder as unknown as Db)
  const [query] = sent
  if (!query || sent.length !== 1) throw new Error(`The operation sent ${sent.length} statements, not one.`)
  return { text: query.text, values: query.values.map((value) => prepareValue(value)) }
}

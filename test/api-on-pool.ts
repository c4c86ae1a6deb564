import type { TestContext } from 'node:test'
import type { Pool } from 'pg'
import { batchedCreate } from '../src/store/creates/batched-create.ts'
import { batchedFind } from '../src/store/deliveries/deliveries.ts'
import { apiOf, deliveryBody, usedBy } from './api.ts'
import type { Fixture } from './fixture.ts'

/** The API on its own connections, closed with the test. `askAll` lists, gets this delivery and creates another one. */
export async function apiOnPool(t: TestContext, fixture: Fixture, db: Pool, deliveryId: string) {
  const deps = { ...fixture.deps, db, createDelivery: batchedCreate(db), findDelivery: batchedFind(db) }
  const app = apiOf({ ...fixture, deps })
  t.after(() => app.close())
  const { call } = await usedBy(app, fixture)
  const lines = ['GET /demo/deliveries', `GET /demo/deliveries/${deliveryId}`, 'POST /demo/deliveries']
  const askAll = () =>
    Promise.all(lines.map((line) => call(line, line.startsWith('POST') ? { body: deliveryBody() } : {})))
  return { call, askAll }
}

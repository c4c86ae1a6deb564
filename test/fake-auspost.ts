import type { TestContext } from 'node:test'
import { startAuspost } from '../fakes/auspost/start-auspost.ts'
import type { RunningFake } from '../fakes/fake.ts'

/** A Tuesday, ten in the morning in Melbourne. */
export const TUESDAY_TEN_MS = Date.parse('2026-11-24T10:00:00+11:00')

export const AUSPOST = '0000123456'
export const STARTRACK = '10123456'

// biome-ignore lint/suspicious/noExplicitAny: a test parses a response as a client in another language would.
type Told = { status: number; body: any; headers: Headers }

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Told>

/** A fake with a stopped clock, and its client; paths are under `/shipping/v1`, or absolute from `/_fake` on. */
export async function fakeAuspost(t: TestContext): Promise<{ fake: RunningFake; call: Call }> {
  const fake = await startAuspost({ nowMs: TUESDAY_TEN_MS })
  t.after(() => fake.close())
  return { fake, call: callerOf(fake.url, AUSPOST) }
}

export function callerOf(url: string, account: string, key = 'fake-key:fake-password'): Call {
  return async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}${/^\/(_fake|test)/.test(path) ? '' : '/shipping/v1'}${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(key).toString('base64')}`,
        'account-number': account,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const json = answer.headers.get('content-type')?.includes('json') && text !== ''
    return { status: answer.status, body: json ? JSON.parse(text) : text, headers: answer.headers }
  }
}

export const MELBOURNE = {
  name: 'Fitzroy Store',
  lines: ['1 Main Street'],
  suburb: 'MELBOURNE',
  state: 'VIC',
  postcode: '3000',
}
export const SYDNEY = {
  name: 'Jane Smith',
  business_name: 'Smith Pty Ltd',
  lines: ['123 Centre Road'],
  suburb: 'Sydney',
  state: 'NSW',
  postcode: '2000',
}
export const ITEM = {
  item_reference: 'SKU-1',
  product_id: 'T28S',
  length: '30',
  width: '20',
  height: '10',
  weight: '1.5',
}
/** StarTrack requires a packaging type. */
export const CARTON = { ...ITEM, product_id: 'EXP', packaging_type: 'CTN' }
export const SHIPMENT = {
  shipment_reference: 'ORDER-1',
  sender_references: ['ORDER-1', 'STORE-7'],
  from: MELBOURNE,
  to: SYDNEY,
  items: [ITEM],
}

/** Creates shipments and returns them. */
export async function made(call: Call, ...shipments: readonly unknown[]) {
  const { status, body } = await call('POST', '/shipments', { shipments })
  if (status !== 201) throw new Error(`Shipments not created: ${JSON.stringify(body)}`)
  return body.shipments
}

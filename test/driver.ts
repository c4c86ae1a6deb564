import assert from 'node:assert/strict'
import { type Api, type Call, deliveryBody, type Reply } from './api.ts'
import { until } from './wait-until.ts'

export const SAM = '+61491570156'
export const MIA = '+61491570157'

/** The account whose outbox holds a driver's code: the first of their accounts, by name. */
type Outbox = { accountId: string; call: Call }
const DEMO: Outbox = { accountId: 'demo', call: {} }

/** The newest code that was texted to this phone, from the outbox of a sandbox without a gateway. */
export async function codeFor({ call }: Api, phone: string, by: Outbox = DEMO): Promise<string> {
  return await until(async () => {
    const { json } = await call(`GET /${by.accountId}/messages?kind=sms&limit=200`, by.call)
    const message = json.data.find(
      (one: { to: string; template: string }) => one.to === phone && one.template === 'driver_code',
    )
    return /^(\d{6}) is your/.exec(message?.text ?? '')?.[1]
  }, `a code is sent to ${phone}`)
}

/** The API as a logged-in driver. */
export type DriverApi = {
  token: string
  call(line: string, call?: Call): Promise<Reply>
}

export async function driverApi(api: Api, phone: string, by?: Outbox): Promise<DriverApi> {
  const asked = await api.call('POST /driver/login', { body: { phone }, token: null })
  assert.equal(asked.status, 202, asked.text)
  const code = await codeFor(api, phone, by)
  const { status, json, text } = await api.call('POST /driver/verify', {
    body: { phone, code },
    token: null,
  })
  assert.equal(status, 200, text)
  const { token } = json.data
  return { token, call: (line, options) => api.call(line, { token, ...options }) }
}

/** A delivery of Fitzroy's own couriers, as the API returned it. */
// biome-ignore lint/suspicious/noExplicitAny: a test parses any response.
export async function ownDelivery({ call }: Api, phone = SAM, over: object = {}): Promise<any> {
  const staff_courier = { phone, driver_name: phone === SAM ? 'Sam Okafor' : 'Mia Tran' }
  const body = deliveryBody({ store_reference: 'fitzroy', use_staff_couriers: true, staff_courier, ...over })
  const { status, json, text } = await call('POST /demo/deliveries', { body })
  assert.equal(status, 201, text)
  return json.data
}

/** One grey pixel, a complete JPEG without metadata. */
export const JPEG =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxD/2Q=='

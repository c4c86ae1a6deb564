import { setTimeout as sleep } from 'node:timers/promises'
import type { Drover } from '../../clients/typescript/src/index.ts'
import { client } from './client.ts'
import { nearAddress, orderOf } from './order.ts'
import { say, step } from './print.ts'
import type { TourContext } from './tour-context.ts'

/** The replies to the driver's page, which `@drover/client` has no types for. */
type Data<T> = { data: T }
type Job = { id: string; status: string; consignment_number?: string }

/** Phone numbers reserved for fiction; a phone gets five codes an hour, so tours take turns. */
const PHONES = ['006', '110', '158', '159', '266', '313', '491', '737', '804'].map((end) => `+61491570${end}`)
/** One grey pixel, a complete JPEG. */
const PHOTO =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxD/2Q=='
const PATIENCE_MS = 30_000

/** A courier of the store gets an offer by SMS, accepts it, collects the delivery and proves it. */
export async function ownNetwork({ base, shop, order, startMs, keep }: TourContext): Promise<void> {
  const reference = `${order}-own`
  const phone = PHONES[Math.floor(Math.random() * PHONES.length)] ?? ''
  step('Give a delivery to a staff courier', 'POST /demo/deliveries   use_staff_couriers')
  const { delivery_type: _, ...body } = orderOf(reference, startMs, {
    store_reference: 'fitzroy',
    address: { ...nearAddress, country: 'AU' },
    use_staff_couriers: true,
    staff_courier: { phone, driver_name: 'Robin Vale' },
  })
  const { id, status, status_reason } = await shop.deliveries.create(body)
  say(`${status}: ${status_reason}`)
  const offer = await messageTo(shop, phone, 'driver_offer', (text) => text.includes('/driver/jobs/'))
  say(`SMS: ${offer}`)

  step('The courier logs in with a code', 'POST /driver/login, POST /driver/verify')
  const anybody = client(base, null)
  await anybody.post('/driver/login', { phone })
  const text = await messageTo(shop, phone, 'driver_code', (text) => /^\d{6} /.test(text))
  const code = text.slice(0, 6)
  const session = await anybody.post<Data<{ token: string }>>('/driver/verify', { phone, code })
  const driver = client(`${base}/driver`, session.data.token)

  step('… accepts, collects and proves the delivery with a photo', 'POST /driver/jobs/{id}/accept, …')
  const taken = await driver.post<Data<Job>>(`/jobs/${id}/accept`, {})
  say(`${taken.data.status}, consignment ${taken.data.consignment_number}`)
  say((await driver.post<Data<Job>>(`/jobs/${id}/collect`, {})).data.status)
  const proof = { id: `photo-of-${reference}`, kind: 'photo', image: PHOTO, lat: -37.8, lng: 144.97 }
  say((await driver.post<Data<Job>>(`/jobs/${id}/deliver`, { proof })).data.status)

  step('The proof of delivery', 'GET proof_url')
  const { proof_url } = await shop.deliveries.get(reference)
  await keep('proof-of-delivery.pdf', proof_url)
}

/** The newest message of its kind, from the outbox that a sandbox keeps. */
async function messageTo(
  shop: Drover,
  phone: string,
  template: string,
  fits: (text: string) => boolean,
): Promise<string> {
  const endMs = Date.now() + PATIENCE_MS
  while (Date.now() < endMs) {
    const { data } = await shop.messages.list({ kind: 'sms', limit: 200 }).page()
    const message = data.find((one) => one.to === phone && one.template === template)
    if (message?.text && fits(message.text)) return message.text
    await sleep(100)
  }
  throw new Error(`The outbox has no ${template} for ${phone}.`)
}

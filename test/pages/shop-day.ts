import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { DEMO_USERS } from '../../src/operations/secrets/demo-clients.ts'
import type { Pages } from './browser.ts'

const at = (clock: string) => Date.parse(`2026-11-24T${clock}:00+11:00`)

/** first name, last name, suburb, postcode */
type Customer = readonly [string, string, string, string]
const CUSTOMERS = {
  ruth: ['Ruth', 'Adeyemi', 'Doncaster East', '3109'],
  tom: ['Tom', 'Whitlock', 'Clifton Hill', '3068'],
  mei: ['Mei', 'Lin', 'Brunswick', '3056'],
  rossi: ['Tom', 'Rossi', 'Northcote', '3070'],
  priya: ['Priya', 'Nair', 'Brunswick', '3056'],
  hana: ['Hana', 'Baran', 'Sandringham', '3191'],
  luca: ['Luca', 'Marino', 'Footscray', '3011'],
  joan: ['Joan', 'Petrie', 'Bendigo', '3550'],
  ngoc: ['Ngoc', 'Dang', 'Carlton North', '3054'],
  ali: ['Ali', 'Haddad', 'Preston', '3072'],
} as const satisfies Record<string, Customer>

/**
 * A morning at Fitzroy as a clerk finds it at 10:42: two deliveries are on hold, one is late, some are booked with
 * several carriers, one is offered to a store courier, one waits.
 */
export async function shopDay({ api }: Pages): Promise<void> {
  const { fixture } = api
  await ensureDemoUsers(fixture.deps)
  await fixture.setClock(at('09:00'))
  const create = async (reference: string, [first, last, city, postCode]: Customer, over: object = {}) => {
    const body = {
      store_reference: 'fitzroy',
      reference,
      ready_for_pickup_at: '2026-11-24T10:30:00+11:00',
      address: { address: '27 Station Street', city, state: 'VIC', post_code: postCode, country: 'AU' },
      customer: { first_name: first, last_name: last, phone: '0491 570 156', email: 'customer@example.com' },
      parcels: [PARCEL],
      ...over,
    }
    const { status, text } = await api.call('POST /demo/deliveries', { body })
    assert.equal(status, 201, text)
  }
  const now = { book_delivery_now: true }
  const road = { ...now, delivery_type: 'standard' }
  await create('WC-10471-lost-answer', CUSTOMERS.ruth, {
    ...road,
    parcels: [{ ...PARCEL, type: 'pallet', weight_kg: 180 }],
  })
  await create('WC-10480-rejected', CUSTOMERS.mei, now)
  await create('WC-10459-late-events', CUSTOMERS.tom, {
    ...now,
    delivery_type: 'fast',
    ready_for_pickup_at: '2026-11-24T09:00:00+11:00',
  })
  await fixture.setClock(at('10:36'))
  await create('WC-10482', CUSTOMERS.priya, { ...now, delivery_type: 'flexible', authority_to_leave: true })
  await create('WC-10473', CUSTOMERS.luca, { ...road, parcels: [{ ...PARCEL, quantity: 2 }] })
  await create('WC-10475', CUSTOMERS.joan, { ...road, parcels: [{ ...PARCEL, type: 'satchel' }] })
  await create('WC-10468', CUSTOMERS.hana, {
    ...now,
    delivery_type: 'express',
    parcels: [LAMP],
    authority_to_leave: true,
    special_instructions: 'Side gate, beware of the step.',
  })
  await create('WC-10479', CUSTOMERS.ngoc, {
    use_staff_couriers: true,
    staff_courier: { phone: '+61491570156', driver_name: 'Sam Okafor' },
  })
  await create('WC-10490', CUSTOMERS.ali, { ready_for_pickup_at: '2026-11-24T16:30:00+11:00' })
  await fixture.setClock(at('10:42'))
}

const PARCEL = { reference: 'P1', length_cm: 30, width_cm: 22, height_cm: 18, weight_kg: 2.4, quantity: 1 }
const LAMP = {
  ...PARCEL,
  description: 'Cordless table lamp',
  contains_dangerous_goods: true,
  dangerous_goods: { dangerous_goods_definition: 'lithium_batteries_equipment' },
}

/** Logs in as one of the demo's users, and waits for the page. */
export async function logIn(page: Page, role: 'merchant_admin' | 'store_clerk'): Promise<void> {
  await enter(page, role)
  await page.getByRole('banner').waitFor()
}

/** A clerk's browser, logged in, with the day of the Fitzroy store open. */
export async function atFitzroy({ visit }: Pages): Promise<Page> {
  const page = await visit()
  await logIn(page, 'store_clerk')
  await chooseStore(page, 'Fitzroy')
  await page.getByRole('link', { name: 'WC-10482' }).waitFor()
  return page
}

/** The partner's page, in the demo account, whatever the account's current name is. */
export async function partnerLogIn({ visit }: Pages, account: string | RegExp = /^Wattle/): Promise<Page> {
  const page = await visit()
  await enter(page, 'operator')
  await page.getByRole('heading', { name: 'Which account?' }).waitFor()
  await page.getByRole('button', { name: account }).first().click()
  await page.getByRole('banner').waitFor()
  return page
}

async function enter(page: Page, role: 'merchant_admin' | 'store_clerk' | 'operator'): Promise<void> {
  const user = DEMO_USERS.find((one) => one.role === role)
  assert.ok(user)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

export async function chooseStore(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Store:/ }).click()
  await page.getByRole('menuitem', { name }).click()
}

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Api } from '../api.ts'
import { ADMIN, person } from '../people.ts'
import { seeOctober } from './ended-deliveries.ts'
import type { Hands } from './hands.ts'

type Look = (name: string) => Promise<void>
const noLook: Look = async () => {}

export type OwnerTask = {
  name: string
  /** With a mouse, from the first page. */
  maxPresses: number
  /** From any page with the menu, to the sentence that says it is done. */
  run(page: Page, hands: Hands, look?: Look): Promise<void>
  /** What the account has then. */
  check?(api: Api): Promise<void>
}

const text = (name: string, mimeType: string, content: string) => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
})

export const LOGO = text(
  'logo.svg',
  'image/svg+xml',
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 40" onload="evil()"><style>.a{fill:#fff}</style>
<circle class="a" cx="20" cy="20" r="16"/><path class="a" d="M50 12h100v16H50z"/></svg>`,
)
const PRICES = text(
  'prices.csv',
  'text/csv',
  'kind,zone,postcodes,up_to_kg,price\nzone,metro,3000-3207,,\nrate,metro,,5,9.50\nrate,metro,,25,14.50\n',
)

export async function documentNow(api: Api) {
  return (await api.operator('GET /admin/accounts/demo')).json
}

async function review(page: Page, hands: Hands, sentence: string | RegExp, look = noLook): Promise<void> {
  await hands.pressShortcut(page.getByRole('button', { name: 'Review' }), 'Control+Enter')
  const dialog = page.getByRole('dialog', { name: 'Review your changes' })
  await dialog.getByText(sentence).waitFor()
  await look('settings-review')
  await hands.use(dialog.getByRole('button', { name: 'Apply' }))
  await page.getByText('Applied.').waitFor()
}

const closeEarlier = {
  name: 'Perth closes at one on Saturdays',
  maxPresses: 6,
  async run(page, hands, look = noLook) {
    await hands.goTo('Settings')
    await hands.use(page.getByRole('link', { name: /^Perth CBD/ }))
    await hands.setHour(page.getByLabel('Saturday closes'), 13)
    await look('settings-store')
    await review(page, hands, 'Perth CBD closes at 1 pm on Saturdays instead of 5 pm.', look)
  },
  async check(api) {
    assert.equal((await documentNow(api)).stores[6].hours.sat, '09:00-13:00')
  },
} satisfies OwnerTask

const addStore = {
  name: 'a second store, with the hours of the first',
  maxPresses: 15,
  async run(page, hands, look = noLook) {
    await hands.goTo('Settings')
    await hands.use(page.getByRole('button', { name: 'Add a store' }))
    const dialog = page.getByRole('dialog', { name: 'Add a store' })
    await hands.fill(dialog.getByLabel('Name'), 'Geelong')
    await hands.fill(dialog.getByLabel('Street address'), '1 Ryrie St')
    await hands.fill(dialog.getByLabel('Suburb'), 'Geelong')
    await hands.fill(dialog.getByLabel('Postcode'), '3220')
    await look('settings-add-store')
    await hands.use(dialog.getByRole('button', { name: 'Add', exact: true }))
    await page.getByRole('heading', { name: 'Geelong' }).waitFor()
    await review(page, hands, 'Geelong is added.')
  },
  async check(api) {
    const { stores } = await documentNow(api)
    assert.deepEqual(stores.at(-1), {
      reference: 'geelong',
      name: 'Geelong',
      address: { address: '1 Ryrie St', city: 'Geelong', state: 'VIC', post_code: '3220' },
      hours: stores[0].hours,
      pickup_ends_before_closing_minutes: 30,
    })
  },
} satisfies OwnerTask

const uploadLogo = {
  name: 'a logo',
  // Two more than from the page of the brands.
  maxPresses: 5,
  async run(page, hands, look = noLook) {
    await hands.goTo('Settings')
    await hands.use(page.getByRole('link', { name: 'Brands', exact: true }))
    await hands.choose(page.getByRole('button', { name: 'Upload a logo' }), LOGO)
    await page.getByRole('img', { name: 'Logo of Wattle & Co' }).waitFor()
    await look('settings-logo')
    await review(page, hands, 'Customers of Wattle & Co see its logo instead of its name.')
  },
  async check(api) {
    assert.match((await documentNow(api)).brands[0].logo, /^data:image\/svg\+xml;base64,/)
  },
} satisfies OwnerTask

const uploadPrices = {
  name: 'a rate card from the owner’s own sheet',
  maxPresses: 5,
  async run(page, hands, look = noLook) {
    await hands.goTo('Settings')
    await hands.use(page.getByRole('link', { name: 'Prices', exact: true }))
    const service = page.getByRole('region', { name: 'Swiftly TODAY' })
    await hands.choose(service.getByRole('button', { name: 'Upload a price list' }), PRICES)
    await page.getByRole('cell', { name: '5 kg to 3000 (metro)' }).waitFor()
    await look('settings-price-list')
    await review(page, hands, /^Swiftly TODAY no longer has the price that you typed in\./)
  },
  async check(api) {
    const service = (await documentNow(api)).carriers[0].services[1]
    assert.equal(service.price, undefined)
    assert.deepEqual(service.rate_card.rates, [
      { zone: 'metro', up_to_kg: 5, cents: 950 },
      { zone: 'metro', up_to_kg: 25, cents: 1450 },
    ])
  },
} satisfies OwnerTask

const NEW_CLERK = 'new@wattle.example'

const inviteClerk = {
  name: 'a new staff member',
  maxPresses: 5,
  async run(page, hands) {
    await hands.goTo('Account')
    await hands.use(page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'People' }))
    await hands.fill(page.getByLabel('Email'), NEW_CLERK)
    await hands.tick(page.getByRole('checkbox', { name: 'Fitzroy', exact: true }))
    await hands.use(page.getByRole('button', { name: 'Invite', exact: true }))
    await page.getByText(`We’ve emailed an invitation to ${NEW_CLERK}.`).waitFor()
  },
  async check(api) {
    const { json } = await (await person(api, ADMIN)).call('GET /demo/users')
    const user = json.data.find((one: { email: string }) => one.email === NEW_CLERK)
    assert.deepEqual([user.role, user.store_references, user.status], ['store_clerk', ['fitzroy'], 'invited'])
  },
} satisfies OwnerTask

/** After `endDeliveries`. */
const seeCosts = {
  name: 'last month’s costs',
  maxPresses: 2,
  async run(page, hands) {
    await hands.goTo('Insights')
    await hands.use(page.getByRole('button', { name: 'Last month' }))
    await seeOctober(page)
  },
} satisfies OwnerTask

/** What an owner does most often in the settings, people and costs. */
export const OWNER_TASKS = {
  closeEarlier,
  addStore,
  uploadLogo,
  uploadPrices,
  inviteClerk,
  seeCosts,
} as const satisfies Record<string, OwnerTask>

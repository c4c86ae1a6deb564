import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { address, customer, parcel } from '../api.ts'
import { driverApi, ownDelivery, SAM } from '../driver.ts'
import { until } from '../wait-until.ts'
import { openPages, picture, withoutBrowser } from './browser.ts'
import { doorPhoto } from './door-photo.ts'
import { driverLogIn, PHONE } from './driver-log-in.ts'
import { inEveryLook } from './looks.ts'
import { logIn } from './shop-day.ts'

const skip = withoutBrowser()
const photo = { name: 'door.png', mimeType: 'image/png', buffer: doorPhoto() }

/** Features of phones that the test's browser lacks: a camera and a barcode detector. */
async function withCamera(page: Page, label: string): Promise<void> {
  await page.addInitScript(`
    navigator.mediaDevices.getUserMedia = async () => {
      const canvas = document.createElement('canvas')
      const context = canvas.getContext('2d')
      setInterval(() => context.fillRect(0, 0, 300 * Math.random(), 9), 100)
      return canvas.captureStream()
    }
    globalThis.BarcodeDetector = class { async detect() { return [{ rawValue: ${JSON.stringify(label)} }] } }
  `)
  await page.reload()
}

/** Both schemes at both sizes; buttons are at least 60 px, and the page is accessible. */
async function looksRight(page: Page, name: string): Promise<void> {
  await inEveryLook(page, name)
  await page.setViewportSize(PHONE)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const small = await page.evaluate<
    string[]
  >(`[...document.querySelectorAll('button, a, label:has(input), textarea')]
    .filter((one) => one.getBoundingClientRect().height > 0 && one.getBoundingClientRect().height < 60)
    .map((one) => one.textContent + ': ' + one.getBoundingClientRect().height)`)
  assert.deepEqual(small, [], `${name}: too small for a glove`)
}

test('a driver’s round: offer, store, address, and a proof that waits offline and is sent once', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['driver'])
  const { api } = pages
  const delivery = await ownDelivery(api, SAM, {
    reference: 'WC-10462',
    authority_to_leave: true,
    special_instructions: 'Blue door on the lane side. The bell is broken: knock.',
    parcels: ['P1', 'P2'].map((reference) => ({
      reference,
      description: reference === 'P1' ? 'Hanging bag' : 'Shoe box',
      length_cm: 30,
      width_cm: 20,
      height_cm: 10,
      weight_kg: 2.5,
      quantity: reference === 'P1' ? 1 : 2,
    })),
  })
  const second = await ownDelivery(api, SAM, {
    reference: 'WC-10463',
    address: { ...address, address: '9 Lygon Street' },
  })
  const statusOf = async () => (await api.call(`GET /demo/deliveries/${delivery.id}`)).json.data.status

  const page = await driverLogIn(pages)
  await page.getByRole('heading', { name: 'Fitzroy to Carlton' }).first().waitFor()
  assert.ok(!(await page.locator('body').innerText()).includes('Drummond'), 'an offer shows suburbs only')
  await looksRight(page, 'driver-offer')
  await page.getByRole('button', { name: 'Take it' }).first().click()
  await page.getByText('Stop 1 of 1').waitFor()
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Take it' }).click()
  await page.getByText('Stop 2 of 2').waitFor()
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByText('2 stops to go').waitFor()
  await looksRight(page, 'driver-round')
  await page.getByRole('link', { name: /Collect 3 parcels/ }).click()
  await page.getByRole('button', { name: 'I am here' }).waitFor()
  await looksRight(page, 'driver-pickup')
  await page.getByRole('button', { name: 'I am here' }).click()
  await page.getByText('0 of 3').waitFor()
  await page.getByRole('checkbox', { name: /Hanging bag/ }).check()
  await page.getByRole('button', { name: 'One more: Shoe box' }).click()
  await page.getByRole('button', { name: 'I have 2 of 3' }).waitFor()
  await looksRight(page, 'driver-collect')
  await page.getByRole('checkbox', { name: /Shoe box/ }).check()
  await page.getByRole('button', { name: 'I have 3 parcels' }).click()

  await page.getByRole('heading', { name: '12 Drummond Street' }).waitFor()
  await page.getByText('Leave it').waitFor()
  await page.getByText('Blue door on the lane side.').waitFor()
  assert.match((await page.getByRole('link', { name: 'Call Ada' }).getAttribute('href')) ?? '', /^tel:\+61/)
  await looksRight(page, 'driver-stop')
  await until(async () => (await statusOf()) === 'collected', 'the delivery is collected')

  // The service worker caches the app; without signal it starts again from the cache.
  await until(
    () =>
      page.evaluate<boolean>(`caches.open('drover-driver-1').then((cache) => cache.keys())
      .then((kept) => ['local-drawing', 'ground', 'places-vic'].every((name) =>
        kept.some(({ url }) => url.includes(name))))`),
    'the phone caches the app and its maps',
  )
  await page.context().setOffline(true)
  await page.getByText('No signal since').waitFor()
  await page.getByRole('button', { name: 'I am here' }).click()
  await page.getByLabel('Take a photo').setInputFiles(photo)
  await page.getByRole('img', { name: 'What you have just taken' }).waitFor()
  await looksRight(page, 'driver-proof')
  // The ten seconds for undo are longer on a slow machine.
  await page.evaluate(`{ const now = Date.now(); Date.now = () => now }`)
  await page.getByRole('button', { name: 'Delivered' }).click()
  await page.getByText('Delivered: 12 Drummond Street.').waitFor()
  await page.getByText('Stop 2 of 2').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByLabel('Take a photo').setInputFiles(photo)
  await page.getByRole('button', { name: 'Delivered' }).click()
  await page.getByText('1 waiting.').waitFor()
  await page.reload()
  await page.getByText('1 waiting.').waitFor()
  await page.getByText('Stop 2 of 2').waitFor()
  await page.getByRole('img', { name: /^Your way: / }).waitFor()
  await looksRight(page, 'driver-offline')
  assert.equal(await statusOf(), 'collected', 'nothing was sent')

  // The first response is lost on its way back: the phone sends the step again, and it is recorded once.
  let lost = 0
  await page.route('**/deliver', async (route) => {
    if (lost++ > 0) return route.continue()
    // Playwright leaves out this header, without which the server rejects the session's cookie.
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' }
    assert.ok((await route.fetch({ headers })).ok())
    await route.abort('connectionreset')
  })
  const answered = page.waitForResponse('**/deliver')
  await page.context().setOffline(false)
  await until(async () => (await statusOf()) === 'delivered', 'the delivery is delivered')
  await answered
  assert.ok(lost >= 2, 'the phone sent the step again')
  await page.getByText('No signal since').waitFor({ state: 'hidden' })
  const { rows } = await api.fixture.deps.db.query<{ proofs: number }>(
    `select count(*) as proofs from delivery_proofs where delivery_id = $1`,
    [delivery.id],
  )
  assert.equal(rows[0]?.proofs, 1)

  // A cancellation by the store shows once there is signal again.
  await page.context().setOffline(true)
  await page.getByText('No signal since').waitFor()
  await page.getByRole('button', { name: 'I am here' }).click()
  await page.getByRole('heading', { name: 'What do you have?' }).waitFor()
  await api.call(`PATCH /demo/deliveries/${second.id}/request-cancel`)
  await page.context().setOffline(false)
  await page
    .getByRole('alert')
    .getByText('the store may have given it to somebody else, or called it off')
    .waitFor()
  await page.getByText('Nothing to do.').waitFor()
  await looksRight(page, 'driver-clash')
  await page.getByRole('button', { name: 'I have read it' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await looksRight(page, 'driver-log-in')
})

test('an adult signs for a parcel that must not be left; a failed delivery has a reason', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['driver'])
  const { api } = pages
  const nasty = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`
  const wine = await ownDelivery(api, SAM, {
    reference: 'WC-1',
    product_types: { alcohol: true },
    special_instructions: nasty,
    parcels: [{ ...parcel, description: nasty }],
  })
  const page = await driverLogIn(pages)
  await withCamera(page, 'P1')
  await page.getByRole('button', { name: 'Take it' }).click()
  await page.getByRole('button', { name: 'I am here' }).click()
  await page.evaluate(`{
    const { mediaDevices } = navigator
    const { getUserMedia } = mediaDevices
    mediaDevices.getUserMedia = async () => {
      mediaDevices.getUserMedia = getUserMedia
      throw new DOMException('denied', 'NotAllowedError')
    }
  }`)
  await page.getByRole('button', { name: 'Scan labels' }).click()
  await page.getByText('We can’t use the camera. Allow it').waitFor()
  await page.getByRole('button', { name: 'Scan labels' }).click()
  await page.getByText('P1 is one of them.').waitFor()
  assert.equal(await page.getByRole('checkbox').isChecked(), true, 'a scanned label is ticked')
  await page.getByRole('button', { name: 'I have 1 parcel' }).click()
  await page.getByText('<img src=x onerror=').waitFor()
  assert.notEqual(await page.title(), 'run', 'customer input runs no script')
  await page.getByText('Check ID').waitFor()
  await page.getByRole('button', { name: 'I am here' }).click()

  assert.equal(await page.getByRole('radio', { name: 'At the door' }).isDisabled(), true)
  assert.equal(await page.getByRole('button', { name: 'Photo' }).count(), 0, 'a photo is not enough')
  // The button looks disabled, and a press shows why.
  await page.getByRole('button', { name: 'Delivered' }).click({ force: true })
  await page.getByText('Which ID did you see? These goods').waitFor()
  await page.getByRole('radio', { name: 'Driver licence' }).check({ force: true })
  await page.getByRole('checkbox', { name: 'Date of birth checked' }).check({ force: true })
  await looksRight(page, 'driver-signature')

  await page.getByRole('link', { name: 'I cannot deliver it' }).click()
  for (const name of ['Under 18', 'No ID', 'Intoxicated']) await page.getByRole('radio', { name }).waitFor()
  await page.getByRole('radio', { name: 'They refuse it' }).check({ force: true })
  await page.getByText('Bring it back to Fitzroy. We’ll let the store know.').waitFor()
  await looksRight(page, 'driver-cannot')
  await page.getByRole('radio', { name: 'It is damaged' }).check({ force: true })
  await page.getByLabel('Photo of the damage').setInputFiles(photo)
  await page.getByRole('img', { name: 'What you have just taken' }).waitFor()
  await looksRight(page, 'driver-cannot-photo')
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'I am here' }).click()
  await page.getByRole('radio', { name: 'Driver licence' }).check({ force: true })
  await page.getByRole('checkbox', { name: 'Date of birth checked' }).check({ force: true })
  const pad = page.getByRole('img', { name: 'Sign here with a finger' })
  await pad.evaluate((node) => node.scrollIntoView({ block: 'center' }))
  const box = await pad.boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + 20, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + 120, box.y + 100)
  await page.mouse.move(box.x + 200, box.y + 40)
  await page.mouse.up()
  await page.getByLabel('Name of who signs').fill('A. Nguyen')
  await page.getByRole('button', { name: 'Delivered' }).click()
  await until(async () => {
    const { json } = await api.call(`GET /demo/deliveries/${wine.id}`)
    return json.data.status === 'delivered'
  }, 'the delivery is delivered')
})

test('if the phone cannot store steps, the app still sends them, and a double tap counts once', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['driver'])
  const { api } = pages
  await ownDelivery(api, SAM, { reference: 'WC-FULL' })
  const page = await driverLogIn(pages)
  await page.addInitScript(`
    IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError') }
    Storage.prototype.setItem = () => { throw new DOMException('blocked', 'SecurityError') }
  `)
  await page.reload()
  await page.getByRole('button', { name: 'Take it' }).click()
  await page.getByRole('button', { name: 'I am here' }).click()
  await page.getByRole('checkbox').check({ force: true })
  await page.getByRole('button', { name: 'I have 1 parcel' }).click()
  await page.getByRole('button', { name: 'I am here' }).click()
  await page.getByRole('link', { name: 'I cannot deliver it' }).click()
  await page.getByRole('radio', { name: 'Nobody home' }).check({ force: true })
  await page.getByRole('button', { name: 'Not delivered' }).dblclick()
  await page.getByText('Tried once').waitFor()
  const countFailed = async () => {
    const { json } = await api.call('GET /demo/events?limit=200')
    return json.data.filter(({ type }: { type: string }) => type === 'delivery.exception').length
  }
  await until(async () => (await countFailed()) > 0)
  await page.waitForTimeout(1_000)
  assert.equal(await countFailed(), 1)
})

test('a wrong PIN shows an error, the right one delivers; a photo shows the store why a delivery failed', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['driver', 'portal'])
  const { api } = pages
  const byPin = await ownDelivery(api, SAM, { reference: 'WC-PIN' })
  const broken = await ownDelivery(api, SAM, { reference: 'WC-BROKEN' })
  const sam = await driverApi(api, SAM)
  for (const { id } of [byPin, broken]) {
    for (const step of ['accept', 'collect']) await sam.call(`POST /driver/jobs/${id}/${step}`)
  }
  const page = await driverLogIn(pages)
  const arriveAt = async (id: string) => {
    await page.goto(`${pages.url}/driver#/jobs/${id}`)
    await page.getByRole('button', { name: 'I am here' }).click()
  }
  const prove = async (pin: string) => {
    await page.getByLabel('The customer’s PIN').fill(pin)
    await page.getByRole('button', { name: 'Delivered' }).click()
  }
  const doneToday = () =>
    page.evaluate<number>(`JSON.parse(localStorage.getItem('drover-done') ?? '{}').count ?? 0`)
  const hashOf = () => page.evaluate<string>('location.hash')
  const wrong = byPin.delivery_pin === '0000' ? '0001' : '0000'
  await arriveAt(byPin.id)
  await page.getByRole('button', { name: 'PIN' }).click()
  await prove(wrong)
  const alert = page.getByRole('alert')
  await alert
    .getByText('That is not the PIN of this delivery. 4 tries left. Ask for the PIN again, or take')
    .waitFor()
  await page.getByRole('button', { name: 'Delivered' }).waitFor()
  assert.equal(
    await hashOf(),
    `#/jobs/${byPin.id}/proof`,
    'the page stays on the proof until the server responds',
  )
  assert.equal(await doneToday(), 0)
  await looksRight(page, 'driver-wrong-pin')
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'I am here' }).waitFor()
  await alert.getByText('4 tries left').waitFor()
  // The driver closes the app and opens it again: a rejection that arrived meanwhile still shows.
  await page.goto('about:blank')
  await page.goto(`${pages.url}/driver`)
  await alert.getByText('that did not go through').waitFor()
  await looksRight(page, 'driver-refused')
  await alert.getByRole('link', { name: 'Record it again' }).click()
  await page.getByRole('button', { name: 'PIN' }).click()

  // No response in time: the driver drives on, and sees the result at the next stop.
  let silent = true
  await page.route('**/deliver', (route) => (silent ? undefined : route.continue()))
  await prove(wrong)
  await page.getByRole('button', { name: 'Checking the PIN' }).waitFor()
  await alert.waitFor({ state: 'hidden' })
  await page.getByText('Stop 2 of 2').waitFor()
  assert.equal(await hashOf(), `#/jobs/${broken.id}`)
  assert.equal(await doneToday(), 1)
  // Even if the list loads late, the stop with the rejection returns to the driver's list.
  const lists: Route[] = []
  await page.route('**/driver/jobs', (route) => void lists.push(route))
  silent = false
  await alert.getByText('3 tries left.').waitFor()
  await page.getByText(/^Stop \d of 2$/).waitFor()
  await until(async () => (await doneToday()) === 0, 'a rejected delivery does not count as done')
  await alert.getByRole('link', { name: 'Record it again' }).click()
  await page.getByText('No signal since').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'PIN' }).waitFor()
  await until(async () => lists.length > 0, 'the page requests the list')
  await page.unroute('**/driver/jobs')
  for (const list of lists) await list.continue()
  await page.getByRole('button', { name: 'PIN' }).click()
  await prove(byPin.delivery_pin)
  await page.getByText('Stop 2 of 2').waitFor()
  assert.equal(await alert.count(), 0)
  const statusOf = async (id: string) => (await api.call(`GET /demo/deliveries/${id}`)).json.data.status
  await until(async () => (await statusOf(byPin.id)) === 'delivered', 'the delivery is delivered')

  await arriveAt(broken.id)
  await page.getByRole('link', { name: 'I cannot deliver it' }).click()
  await page.getByRole('radio', { name: 'It is damaged' }).check({ force: true })
  await page.getByLabel('Photo of the damage').setInputFiles(photo)
  await page.getByRole('img', { name: 'What you have just taken' }).waitFor()
  await page.getByRole('button', { name: 'Bring it back' }).click()
  await until(
    async () => (await statusOf(broken.id)) === 'pending_return',
    'the delivery goes back to the store',
  )

  // The customer is not home: one press chooses another attempt or a return.
  const missed = await ownDelivery(api, SAM, { reference: 'WC-MISSED' })
  for (const verb of ['accept', 'collect']) await sam.call(`POST /driver/jobs/${missed.id}/${verb}`)
  await sam.call(`POST /driver/jobs/${missed.id}/fail`, { body: { reason: 'nobody_home' } })
  await page.reload()
  const bringBack = page.getByRole('button', { name: 'Bring it back to Fitzroy' })
  // A link to a job that is not in the list yet opens the list.
  await until(async () => {
    await page.evaluate(`location.hash = '#/jobs/${missed.id}'`)
    return bringBack.isVisible()
  }, 'the page shows the job')
  await page.setViewportSize(PHONE)
  const beyond = await page.evaluate<number>(`(() => {
    const button = document.querySelector('.thumb .wide')
    const text = button.textContent
    button.textContent = text + ' Chadstone Shopping Centre, upper level, beside the lifts'
    const { scrollWidth, clientWidth } = document.documentElement
    button.textContent = text
    return scrollWidth - clientWidth
  })()`)
  assert.equal(beyond, 0, 'a long store name wraps')
  await bringBack.click()
  await until(async () => (await statusOf(missed.id)) === 'pending_return', 'the driver returns it')
  await page.getByRole('button', { name: 'It is back' }).click()
  await until(async () => (await statusOf(missed.id)) === 'returned', 'the delivery is returned')

  // The driver's phone is flat: the clerk records that the store has the parcels again.
  const dead = await ownDelivery(api, SAM, { reference: 'WC-DEAD' })
  for (const verb of ['accept', 'collect']) await sam.call(`POST /driver/jobs/${dead.id}/${verb}`)

  await ensureDemoUsers(api.fixture.deps)
  const clerk = await pages.visit({ path: `/portal/deliveries/${broken.id}` })
  await logIn(clerk, 'store_clerk')
  await clerk.getByRole('img', { name: 'Photo of the failed delivery attempt' }).waitFor()
  await picture(clerk, 'delivery-not-delivered')
  await clerk.goto(`${new URL(clerk.url()).origin}/portal/deliveries/${dead.id}`)
  await clerk.getByRole('button', { name: 'Take over' }).click()
  await clerk.getByLabel('Reason').fill('Sam’s phone is flat')
  await picture(clerk, 'delivery-take-over')
  await clerk.getByRole('dialog').getByRole('button', { name: 'Take over' }).click()
  await until(async () => (await statusOf(dead.id)) === 'on_hold', 'the delivery is on hold at the store')
  await clerk.getByRole('button', { name: 'Give to a courier' }).waitFor()

  // Two of three were collected: one press sends the rest.
  const parcels = [{ ...parcel, quantity: 3 }]
  const split = await ownDelivery(api, SAM, { reference: 'WC-SPLIT', parcels })
  await sam.call(`POST /driver/jobs/${split.id}/accept`)
  const taken = [{ reference: 'P1', quantity: 2 }]
  await sam.call(`POST /driver/jobs/${split.id}/collect`, { body: { parcels: taken } })
  await clerk.goto(`${new URL(clerk.url()).origin}/portal/deliveries/${split.id}`)
  await clerk.getByRole('button', { name: 'Send the rest' }).click()
  const dialog = clerk.getByRole('dialog')
  await dialog.getByText('We’ll send the rest (1 of the 3 P1 parcels) to').waitFor()
  await picture(clerk, 'delivery-send-the-rest')
  await dialog.getByRole('button', { name: 'Send the rest' }).click()
  await clerk.getByRole('heading', { name: /WC-SPLIT-2/ }).waitFor()
  await dialog.waitFor({ state: 'hidden' })
  const { data } = (await api.call('GET /demo/deliveries/WC-SPLIT-2')).json
  assert.deepEqual(
    [data.parcels.length, data.parcels[0].quantity, data.use_staff_couriers],
    [1, 1, undefined],
  )
  await picture(clerk, 'delivery-of-the-rest')
})

test('the stored list is shown at once, with its age, even if the server fails or does not respond', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['driver'])
  const { api } = pages
  const { id } = await ownDelivery(api, SAM, { reference: 'WC-VAN' })
  const sam = await driverApi(api, SAM)
  for (const step of ['accept', 'collect']) await sam.call(`POST /driver/jobs/${id}/${step}`)
  const page = await driverLogIn(pages)
  await page.getByText('1 stop to go').waitFor()
  const stop = page.getByRole('link', { name: /12 Drummond Street/ })
  const age = page.getByText(/^Your list is as of \d+:\d\d [ap]m\.$/)
  assert.equal(await age.count(), 0, 'a fresh list shows no age')

  // A failing server: it responds, but with errors.
  const list = '**/driver/jobs'
  await page.route(list, (route) =>
    route.fulfill({ status: 503, body: '{}', contentType: 'application/problem+json' }),
  )
  await page.reload()
  await page.getByText(/Drover hasn’t responded since \d+:\d\d [ap]m\./).waitFor()
  await stop.waitFor()
  await age.waitFor()
  assert.equal(await page.getByText('Nothing to do.').count(), 0)
  await looksRight(page, 'driver-trouble')
  await page.unroute(list)
  await page.getByText('Drover hasn’t responded').waitFor({ state: 'hidden' })
  await age.waitFor({ state: 'hidden' })

  // One bar of signal: no response arrives, and the page of a job still works.
  await page.route(list, () => {})
  await page.goto('about:blank')
  await page.goto(`${pages.url}/driver#/jobs/${id}`)
  await page.getByRole('button', { name: 'I am here' }).waitFor()
  await page.getByText(/No signal since \d+:\d\d [ap]m\./).waitFor()
  await page.getByRole('button', { name: 'I am here' }).click()
  await page.getByRole('heading', { name: 'Where is it now?' }).waitFor()

  // A phone with an empty cache does not claim that there are no jobs.
  await page.unroute(list)
  await page.route(list, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
  await page.goto('about:blank')
  await page.goto(`${pages.url}/health/live`)
  await page.evaluate(`new Promise((done, fail) => {
    const asked = indexedDB.deleteDatabase('drover-driver')
    asked.onsuccess = done
    asked.onerror = fail
  })`)
  await page.goto(`${pages.url}/driver`)
  await page.getByText('We can’t load your list right now.').waitFor()
  assert.equal(await page.getByText('Nothing to do.').count(), 0)
  await page.unroute(list)
  await page.getByText('1 stop to go').waitFor()

  // The server has the proof, but the list cannot be read: the delivered stop does not reappear.
  await stop.click()
  await page.getByRole('button', { name: 'I am here' }).click()
  await page.getByLabel('Take a photo').setInputFiles(photo)
  await page.route(list, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
  const sent = page.waitForResponse('**/deliver')
  await page.getByRole('button', { name: 'Delivered' }).click()
  await sent
  await page.getByText('1 waiting.').waitFor({ state: 'hidden' })
  await page.reload()
  await age.waitFor()
  await page.getByText('Nothing to do.').waitFor()
  assert.equal(await stop.count(), 0)
  await page.unroute(list)
})

test('a rejected proof keeps its photo until the driver has read it; a failed answer to an offer stays', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['driver'])
  const { api } = pages
  const { id } = await ownDelivery(api, SAM, { reference: 'WC-HELD' })
  const sam = await driverApi(api, SAM)
  for (const step of ['accept', 'collect']) await sam.call(`POST /driver/jobs/${id}/${step}`)
  const page = await driverLogIn(pages)
  await page.getByRole('link', { name: /12 Drummond Street/ }).click()
  await page.getByRole('button', { name: 'I am here' }).click()
  await page.getByLabel('Take a photo').setInputFiles(photo)
  // A firewall in between, and then Drover, whose answer counts.
  let asked = 0
  await page.route('**/deliver', (route) =>
    asked++ === 0
      ? route.fulfill({ status: 403, contentType: 'text/html', body: '<h1>Blocked</h1>' })
      : route.fulfill({
          status: 409,
          contentType: 'application/problem+json',
          body: JSON.stringify({ code: 'job_not_open', detail: 'It was called off.' }),
        }),
  )
  await page.getByRole('button', { name: 'Delivered' }).click()
  const alert = page.getByRole('alert')
  await alert.getByText('It was called off. Save your photo, and ring the store.').waitFor()
  assert.equal(asked, 2, 'the phone sent the step again')
  await looksRight(page, 'driver-photo-kept')
  await page.getByText('1 update did not go through. Read the message').waitFor()
  const saved = page.waitForEvent('download')
  await alert.getByRole('link', { name: 'Save photo' }).click()
  assert.equal((await saved).suggestedFilename(), 'proof.jpg')
  await alert.getByRole('button', { name: 'I have read it' }).click()
  await page.getByText('1 update did not go through').waitFor({ state: 'hidden' })

  const offer = await ownDelivery(api, SAM, { reference: 'WC-GONE' })
  await page.reload()
  const take = page.getByRole('button', { name: 'Take it' })
  await take.waitFor()
  const list = '**/driver/jobs'
  await page.route(list, (route) => route.abort())
  await api.call(`PATCH /demo/deliveries/${offer.id}/request-cancel`)
  await take.click()
  await alert.waitFor()
  await page.unroute(list)
  await take.waitFor({ state: 'detached' })
  await alert.waitFor()
})

test('a driver whose update never gets through a network may delete it and log out', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['driver'])
  const { id } = await ownDelivery(pages.api, SAM, { reference: 'WC-STUCK' })
  const sam = await driverApi(pages.api, SAM)
  await sam.call(`POST /driver/jobs/${id}/accept`)
  const page = await driverLogIn(pages)
  let asked = 0
  await page.route('**/approach', (route) => {
    asked += 1
    return route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>Too large</h1>' })
  })
  await page.getByRole('link', { name: /Collect/ }).click()
  await page.getByRole('button', { name: 'I am here' }).click()
  await page.getByRole('heading', { name: 'What do you have?' }).waitFor()
  await page.evaluate(`location.hash = ''`)
  await page.getByText('1 update not sent yet.').waitFor()
  const without = page.getByRole('button', { name: 'Log out without sending it' })
  assert.equal(await without.count(), 0, 'it may still get through')
  await without.click()
  assert.ok(asked >= 3, String(asked))
  await looksRight(page, 'driver-stuck')
  const logout = '**/driver/logout'
  await page.route(logout, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Wi-Fi</h1>' }))
  await page.getByRole('button', { name: 'Delete it and log out' }).click()
  await page.getByText('We couldn’t log you out.').waitFor()
  await page.getByText('1 update not sent yet.').waitFor()
  await page.unroute(logout)
  await page.getByRole('button', { name: 'Delete it and log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  const { json } = await pages.api.call(`GET /demo/deliveries/${id}`)
  assert.equal(json.data.status, 'assigned')
})

test('a job of another day shows its day everywhere', { skip }, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['driver'])
  await ownDelivery(pages.api, SAM, { reference: 'WC-DAY' })
  const page = await driverLogIn(pages)
  const onDay = async (now: string, words: string) => {
    await page.clock.setFixedTime(now)
    await page.reload()
    await page.getByText(words, { exact: true }).waitFor()
  }
  await onDay('2026-11-23T10:00:00+11:00', 'tomorrow, 2:45 – 5:45 pm')
  await onDay('2026-11-20T10:00:00+11:00', 'Tuesday 24 November, 2:45 – 5:45 pm')
  await onDay('2026-11-24T10:00:00+11:00', '2:45 – 5:45 pm')
  await page.getByRole('button', { name: 'Take it' }).click()
  // If the page closes now, the response is lost.
  await page.getByRole('button', { name: 'Take it' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Back' }).waitFor()
  await onDay('2026-11-24T10:00:00+11:00', '2:45 – 5:45 pm')
  await onDay('2026-11-23T10:00:00+11:00', 'tomorrow, 2:45 – 5:45 pm')
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByText('Collect 1 parcel, tomorrow, 2:45 – 5:45 pm').waitFor()
})

test('an Arabic name keeps its place in a sentence, for the driver and for the customer', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['driver', 'track'])
  const delivery = await ownDelivery(pages.api, SAM, {
    reference: 'WC-10466',
    customer: { ...customer, first_name: 'محمد', last_name: 'الحسيني' },
    special_instructions: 'من فضلك اترك الطرد عند الباب. شقة 3B.',
  })
  const sam = await driverApi(pages.api, SAM)
  await sam.call(`POST /driver/jobs/${delivery.id}/accept`)
  for (const verb of ['approach', 'collect'])
    await sam.call(`POST /driver/jobs/${delivery.id}/${verb}`, { body: { at: new Date().toISOString() } })

  const page = await driverLogIn(pages)
  await page.getByRole('link', { name: /Drummond/ }).click()
  await page.getByRole('heading', { name: '12 Drummond Street' }).waitFor()
  await picture(page, 'driver-arabic')
  const order = await page.evaluate<string[]>(`(() => {
    const edge = (one) => one.getClientRects()[0].left
    const parts = [...document.querySelectorAll('.adr .k > *')]
    return parts.sort((a, b) => edge(a) - edge(b)).map((one) => one.localName)
  })()`)
  assert.deepEqual(order, ['b', 'bdi', 'b'], 'order, name and window, from left to right')
  const direction = await page.evaluate<string>(
    `getComputedStyle(document.querySelector('.say [dir=auto]')).direction`,
  )
  assert.equal(direction, 'rtl')

  const customers = await pages.visit({ path: new URL(delivery.tracking_url).pathname })
  await customers.locator('bdi', { hasText: 'محمد' }).waitFor()
  await picture(customers, 'track-arabic')
  const isolated = await customers.evaluate<string[]>(
    `[...document.querySelectorAll('bdi')].map((one) => one.textContent)`,
  )
  assert.ok(isolated.includes('محمد'), isolated.join())
  assert.ok(
    isolated.some((text) => text.includes('3B')),
    isolated.join(),
  )
})

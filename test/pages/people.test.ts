import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { ADMIN, CLERK, person } from '../people.ts'
import { lookAt, openPages, withoutBrowser } from './browser.ts'
import { byMouse } from './hands.ts'
import { inEveryLook } from './looks.ts'
import { OWNER_TASKS } from './owner-tasks.ts'
import { logIn } from './shop-day.ts'

test('an owner invites people and changes their role and stores', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, { work: false }, ['portal'])
  const { api } = pages
  await ensureDemoUsers(api.fixture.deps)
  const owner = async (path = '/portal/today') => {
    const page = await pages.visit({ path })
    await logIn(page, 'merchant_admin')
    return page
  }
  const admin = await person(api, ADMIN)
  const userOf = async (email: string) => {
    const { json } = await admin.call('GET /demo/users')
    return json.data.find((one: { email: string }) => one.email === email)
  }

  await t.test('a staff member is invited with at most five presses', async () => {
    const page = await owner()
    const hands = byMouse(page)
    const { run, check, maxPresses } = OWNER_TASKS.inviteClerk
    await run(page, hands)
    assert.ok(hands.presses() <= maxPresses, `${hands.presses()} presses`)
    await check(api)
    await page.context().close()
  })

  await t.test(
    'the main menu appears only when it is complete: no link moves under the pointer',
    async () => {
      const page = await pages.visit()
      const { promise: asked, resolve: answer } = Promise.withResolvers<void>()
      await page.route('**/first-label', async (route) => {
        await asked
        await route.continue()
      })
      const loggedIn = logIn(page, 'merchant_admin')
      await page.waitForRequest('**/first-label')
      await page.getByRole('status', { name: 'Loading' }).waitFor()
      assert.equal(await page.getByRole('banner').count(), 0)
      answer()
      await loggedIn
      assert.equal(await page.getByRole('banner').getByRole('link', { name: 'Getting started' }).count(), 1)
      await page.context().close()
    },
  )

  await t.test('somebody who is invited already is named at the field or below the form', async () => {
    const page = await owner('/portal/account/users')
    await page.getByLabel('Email').fill(CLERK.email)
    await page.getByRole('checkbox', { name: 'Fitzroy' }).check()
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await lookAt(page, 'people-invited-twice')
    await page.context().close()
  })

  await t.test('a clerk gets another store, and their session goes on with it', async () => {
    const clerk = await person(api, CLERK)
    const page = await owner('/portal/account/users')
    const dialog = await openChange(page, CLERK.email)
    await dialog.getByText('You haven’t changed anything.').waitFor()
    await dialog.getByRole('checkbox', { name: 'Melbourne CBD' }).press('Space')
    await dialog.getByRole('checkbox', { name: 'Fitzroy' }).press('Space')
    await dialog.getByText('Choose the stores this person works in.').waitFor()
    await lookAt(page, 'people-change-stores')
    await dialog.getByRole('checkbox', { name: 'Perth CBD' }).press('Space')
    await dialog.getByRole('button', { name: 'Save' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page
      .getByRole('row', { name: /clerk@wattle\.example/ })
      .getByText('Perth CBD')
      .waitFor()
    assert.deepEqual((await userOf(CLERK.email)).store_references, ['perth-cbd'])
    const { json } = await clerk.call('GET /demo/stores')
    assert.deepEqual(
      json.data.map(({ reference }: { reference: string }) => reference),
      ['perth-cbd'],
    )
    await page.context().close()
  })

  await t.test('to make a clerk an admin, the owner types their own password', async () => {
    const page = await owner('/portal/account/users')
    const dialog = await openChange(page, CLERK.email)
    await chooseRole(page, /^Admin/)
    const password = dialog.getByRole('textbox', { name: 'Password' })
    await password.fill('not this one')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('The password is wrong.').waitFor()
    await page.locator('input[aria-invalid=true]').and(password).waitFor()
    await inEveryLook(page, 'people-make-admin')
    assert.equal((await userOf(CLERK.email)).role, 'store_clerk')
    await password.fill(ADMIN.password)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { role, store_references } = await userOf(CLERK.email)
    assert.deepEqual([role, store_references], ['merchant_admin', null])
    await page.context().close()
  })

  await t.test('an admin becomes a clerk without a password, and the dialog says what ends', async () => {
    const page = await owner('/portal/account/users')
    const dialog = await openChange(page, CLERK.email)
    await chooseRole(page, /^Clerk/)
    await dialog.getByText('This person’s API clients will stop working.').waitFor()
    await dialog.getByRole('checkbox', { name: 'Fitzroy' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { role, store_references } = await userOf(CLERK.email)
    assert.deepEqual([role, store_references], ['store_clerk', ['fitzroy']])
    assert.equal(
      await page.getByRole('button', { name: `Change access for ${ADMIN.email}` }).count(),
      0,
      'not their own access',
    )
    await page.context().close()
  })
})

async function openChange(page: Page, email: string) {
  await page.getByRole('button', { name: `Change access for ${email}` }).press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Change / })
  await dialog.waitFor()
  return dialog
}

async function chooseRole(page: Page, name: RegExp): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('combobox', { name: 'Role' })
    .or(dialog.getByRole('textbox', { name: 'Role' }))
    .click()
  await dialog.getByRole('option', { name }).click()
}

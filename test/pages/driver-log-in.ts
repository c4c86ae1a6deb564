import type { Page } from 'playwright-core'
import { codeFor, SAM } from '../driver.ts'
import type { Pages, Visit } from './browser.ts'

export const PHONE = { width: 390, height: 844 }

/** Sam's phone, logged in with the code from the SMS. */
export async function driverLogIn({ api, visit }: Pages, over: Visit = {}): Promise<Page> {
  const page = await visit({ ...PHONE, path: '/driver', ...over })
  await page.getByLabel('Your mobile number').fill('0491 570 156')
  await page.getByRole('button', { name: 'Send me a code' }).click()
  // The request sends the code; before it, the newest code is that of another login.
  const digits = page.getByLabel('Six digits')
  await digits.waitFor()
  await digits.fill(await codeFor(api, SAM))
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Your jobs' }).waitFor()
  return page
}

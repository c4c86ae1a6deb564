import type { Page } from 'playwright-core'

/** Counts presses of a mouse or a finger; typing into fields is not counted. */
export function counted(page: Page) {
  let presses = 0
  return {
    async press(role: 'button' | 'link' | 'checkbox', name: string | RegExp) {
      presses += 1
      await page.getByRole(role, { name, exact: typeof name === 'string' }).click()
    },
    presses: () => presses,
  }
}

import type { Page } from 'playwright-core'
import { assertAccessible, picture } from './browser.ts'

/** `check`: two of the four differ from each other in everything that affects accessibility. */
const LOOKS = [
  { width: 360, height: 780, scheme: 'light', check: true },
  { width: 360, height: 780, scheme: 'dark', check: false },
  { width: 1440, height: 900, scheme: 'light', check: false },
  { width: 1440, height: 900, scheme: 'dark', check: true },
] as const

/** The page as it is, at both sizes and in both schemes: an accessibility check and a screenshot of each. */
export async function inEveryLook(page: Page, name: string): Promise<void> {
  for (const { width, height, scheme, check } of LOOKS) {
    if (!check && !process.env.SCREENSHOTS) continue
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    if (check) await assertAccessible(page, `${name} ${width} ${scheme}`)
    await picture(page, `${name}-${width}-${scheme}`)
  }
}

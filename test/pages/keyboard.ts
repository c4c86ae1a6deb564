import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

const MAX_STEPS = 60

/**
 * Presses Tab until the focus is on the element with this accessible name, and checks at every step that the focus
 * is visible: a screenshot with it differs from one without.
 */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    await page.keyboard.press('Tab')
    const message = await page.evaluate<string>(NAME)
    if (message === '') continue
    await assertSeen(page, message)
    if (typeof name === 'string' ? message.includes(name) : name.test(message)) return
  }
  assert.fail(`Tab never reaches ${name}`)
}

/** Keys of one sequence, pressed within a second of each other even if the page is slow. */
export async function pressAtOnce(page: Page, ...keys: string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)))
}

/** The name of the focused element: its label's, its own, or its text. */
const NAME = `(() => {
  const one = document.activeElement
  if (!one || one === document.body) return ''
  const label = one.labels?.[0]?.innerText ?? ''
  return (one.getAttribute('aria-label') ?? '') + ' ' + label + ' ' + (one.innerText ?? '')
})()`

/** Screenshot of the focused element, or of the element around it. */
const PLACE = `(() => {
  const one = document.activeElement.closest('label') ?? document.activeElement
  one.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { x, y, width, height } = one.getBoundingClientRect()
  return { x: Math.max(0, x - 8), y: Math.max(0, y - 8), width: width + 16, height: height + 16 }
})()`

async function assertSeen(page: Page, name: string): Promise<void> {
  const clip = await page.evaluate<{ x: number; y: number; width: number; height: number }>(PLACE)
  const picture = () => page.screenshot({ clip, animations: 'disabled', caret: 'hide' })
  const focused = await picture()
  await page.evaluate(`{ globalThis.focused = document.activeElement; focused.blur() }`)
  const bare = await picture()
  await page.evaluate(`focused.focus({ preventScroll: true, focusVisible: true })`)
  assert.ok(!focused.equals(bare), `the focus on ${name} is not visible`)
}

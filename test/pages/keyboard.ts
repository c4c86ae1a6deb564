import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

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

/** Presses Tab until this element has the focus, and checks at every step that the focus is there and can be seen. */
export async function tabOnto(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const isReached = () => target.evaluate((one) => one === one.ownerDocument.activeElement)
  for (let steps = 0; !(await isReached()); steps++) {
    if (steps >= MAX_STEPS) assert.fail(`${target} takes more than ${MAX_STEPS} Tabs`)
    await assertFocused(page)
    await page.keyboard.press('Tab')
  }
  await assertFocused(page)
}

/** The focus is on an element, in a visible ring, and nothing covers all of it. */
export async function assertFocused(page: Page): Promise<void> {
  const mistake = await page.evaluate<string | null>(FOCUS_MISTAKE)
  assert.equal(mistake, null)
}

/** At the top of a page that was just opened, no element has the focus yet. */
const FOCUS_MISTAKE = `(async () => {
  const one = document.activeElement
  const name = one.outerHTML.slice(0, 200)
  if (one === document.body)
    return globalThis.wasFocused ? 'the focus is lost after ' + globalThis.wasFocused : null
  globalThis.wasFocused = name
  const isRinged = (el) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(el)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
  }
  const around = one.closest('label, form')?.parentElement
  if (![one, one.parentElement, one.closest('label'), around].some((el) => el && isRinged(el)))
    return name + ' has no ring'
  const seen = () => {
    const { left, right, top, bottom } = one.getBoundingClientRect()
    return [[left + 3, top + 3], [(left + right) / 2, (top + bottom) / 2], [right - 3, bottom - 3]].some(([x, y]) => {
      const on = document.elementFromPoint(x, y)
      return on !== null && (one.contains(on) || on.contains(one) && on !== document.body && on !== document.documentElement && !on.matches('main, dialog') || one.closest('label')?.contains(on))
    })
  }
  // Smooth scrolling and transitions take a moment.
  for (let tries = 0; tries < 20 && !seen(); tries++) await new Promise((done) => setTimeout(done, 25))
  return seen() ? null : name + ' is covered or out of sight at ' + JSON.stringify(one.getBoundingClientRect())
})()`

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { assertFocused, tabOnto } from './keyboard.ts'

type Upload = { name: string; mimeType: string; buffer: Buffer }

/** How a person uses a page: with a mouse, a finger or the keyboard. */
export type Hands = {
  /** Opens a page of the main menu. */
  goTo(place: 'Settings' | 'Account' | 'Insights'): Promise<void>
  /** Uses a link or a button. */
  use(target: Locator): Promise<void>
  tick(box: Locator): Promise<void>
  fill(field: Locator, text: string): Promise<void>
  /** Sets the hour of a time field; its minutes stay. */
  setHour(field: Locator, hour: number): Promise<void>
  /** Uses a button that may be far: by keyboard, its shortcut. */
  pressShortcut(target: Locator, keys: string): Promise<void>
  /** A button that opens the file chooser. */
  choose(button: Locator, file: Upload): Promise<void>
  /** Presses of a button, a link or a box. Typing into fields is not counted. */
  presses(): number
}

export function byMouse(page: Page): Hands {
  return pointing(page, (target) => target.click(), mainLink(page))
}

/** On a phone, the main menu is under "More". */
export function byTouch(page: Page): Hands {
  return pointing(
    page,
    (target) => target.tap(),
    async (place, press) => {
      await press(page.getByRole('button', { name: 'More' }))
      await press(page.getByRole('menuitem', { name: place, exact: true }))
    },
  )
}

type Press = (target: Locator) => Promise<void>

function mainLink(page: Page) {
  const main = page.getByRole('navigation', { name: 'Main', exact: true })
  return (place: string, press: Press) => press(main.getByRole('link', { name: place }))
}

function pointing(page: Page, point: Press, goTo: (place: string, press: Press) => Promise<void>): Hands {
  let presses = 0
  const press: Press = (target) => {
    presses += 1
    return point(target)
  }
  // A phone or a browser shows a picker of its own for a time: its result is set.
  const fill = async (field: Locator, text: string) => {
    await point(field)
    await field.fill(text)
  }
  return {
    goTo: (place) => goTo(place, press),
    use: press,
    pressShortcut: press,
    tick: press,
    fill,
    setHour: async (field, hour) => fill(field, withHour(await field.inputValue(), hour)),
    choose: (button, file) => chooseFile(page, () => press(button), file),
    presses: () => presses,
  }
}

/** Keys only: Tab to each element, with the focus visible at every step. */
export function byKeyboard(page: Page): Hands {
  let presses = 0
  const key = async (target: Locator, name: string) => {
    await tabOnto(page, target)
    presses += 1
    await page.keyboard.press(name)
  }
  const use: Press = (target) => key(target, 'Enter')
  const goTo = mainLink(page)
  return {
    goTo: (place) => goTo(place, use),
    use,
    pressShortcut: async (target, keys) => {
      await target.waitFor()
      await assertFocused(page)
      presses += 1
      await page.keyboard.press(keys)
    },
    tick: (box) => key(box, 'Space'),
    fill: async (field, text) => {
      await tabOnto(page, field)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(text)
      assert.equal(await field.inputValue(), text)
    },
    // The arrows work in every format: 1 pm or 13:00.
    setHour: async (field, hour) => {
      await tabOnto(page, field)
      const before = await field.inputValue()
      const steps = hour - Number(before.slice(0, 2))
      for (let step = 0; step < Math.abs(steps); step++)
        await page.keyboard.press(steps > 0 ? 'ArrowUp' : 'ArrowDown')
      assert.equal(await field.inputValue(), withHour(before, hour))
    },
    choose: (button, file) => chooseFile(page, () => use(button), file),
    presses: () => presses,
  }
}

function withHour(time: string, hour: number): string {
  return `${String(hour).padStart(2, '0')}${time.slice(2)}`
}

async function chooseFile(page: Page, open: () => Promise<void>, file: Upload): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), open()])
  await chooser.setFiles(file)
}

import type { Page } from 'playwright-core'

/** Replaces the text of the document editor. */
export async function writeDocument(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'The document' }).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

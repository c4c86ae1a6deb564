import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { copyText } from './copy-text.ts'

test('a text counts as copied only if the browser copied it', async (t) => {
  const texts: string[] = []
  setClipboard(t, { writeText: async (text: string) => void texts.push(text) })
  assert.equal(await copyText('key'), true)
  assert.deepEqual(texts, ['key'])
  setClipboard(t, { writeText: () => Promise.reject(new Error('NotAllowedError')) })
  assert.equal(await copyText('key'), false)
  setClipboard(t, undefined)
  assert.equal(await copyText('key'), false)
})

function setClipboard(t: TestContext, clipboard: object | undefined): void {
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
  t.after(() => Reflect.deleteProperty(navigator, 'clipboard'))
}

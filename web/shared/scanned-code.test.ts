import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readScannedCode } from './scanned-code.ts'

const ARTICLE = 'SPA150041830001'
/** The elements of a label's barcode, and of its matrix code (src/documents/barcode-content.ts). */
const BARS = ['4203011', `91${ARTICLE}`]
const SQUARE = [...BARS, '92261124000000']

test('every form in which a scanner reads our labels gives the article id', () => {
  for (const elements of [BARS, SQUARE]) {
    for (const separator of [String.fromCharCode(0x1d), '^]', '']) {
      for (const before of ['', ']C1', ']d2']) {
        const typed = before + elements.join(separator)
        assert.equal(readScannedCode(typed), ARTICLE, typed)
      }
    }
  }
})

test('a code that is not GS1 is returned as it is', () => {
  for (const text of ['dlv_01m7zkzf1p7h0ka8aa8cjkbe31', 'WC-10482', 'A1', ARTICLE]) {
    assert.equal(readScannedCode(` ${text}\n`), text)
  }
})

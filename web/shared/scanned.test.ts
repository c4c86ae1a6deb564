import assert from 'node:assert/strict'
import { test } from 'node:test'
import { articleBarcodes, deliveryBarcodes } from '../../src/documents/barcode-content.ts'
import { scannedCode } from './scanned.ts'

const article = {
  articleId: 'SPA150041830001',
  postCode: '3011',
  madeAtMs: Date.parse('2026-11-24T00:00:00Z'),
}
const { linear, matrix } = articleBarcodes(article)

test('whatever a scanner makes of our labels, it is the article', () => {
  for (const { text } of [linear, matrix]) {
    const [postCode, id, made = ''] = text
      .split(/\((?=91|92)/)
      .map((part) => part.replace(/\(?(\d+)\)/, '$1'))
    for (const separator of ['\x1d', '^]', '']) {
      for (const before of ['', ']C1', ']d2']) {
        const typed = `${before}${postCode}${separator}${id}${made && separator + made}`
        assert.equal(scannedCode(typed), article.articleId, typed)
      }
    }
  }
})

test('what is no code of GS1 is what it says', () => {
  const own = deliveryBarcodes('dlv_01m7zkzf1p7h0ka8aa8cjkbe31').linear.text
  for (const text of [own, 'WC-10482', 'A1']) assert.equal(scannedCode(` ${text}\n`), text)
})

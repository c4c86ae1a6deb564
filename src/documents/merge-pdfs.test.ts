import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { mergePdfs } from './merge-pdfs.ts'

/** A PDF with pages of these widths, in points. */
async function paper(...widths: number[]): Promise<Buffer> {
  const document = await PDFDocument.create()
  for (const width of widths) document.addPage([width, 400])
  return Buffer.from(await document.save())
}

test('all pages are merged in order, each with its own size', async () => {
  const merged = await mergePdfs([await paper(100, 101), await paper(200), await paper(300)])
  assert.ok(Buffer.isBuffer(merged))
  const pages = (await PDFDocument.load(merged)).getPages()
  assert.deepEqual(
    pages.map((page) => page.getWidth()),
    [100, 101, 200, 300],
  )
})

test('a single document is unchanged; an unreadable one is named, whatever it contains', async () => {
  const good = await paper(100)
  assert.equal(await mergePdfs([good]), good)
  for (const bad of ['', '%PDF-1.7\n%%EOF', good.subarray(0, good.length / 2).toString('latin1')]) {
    const outcome = await mergePdfs([good, Buffer.from(bad, 'latin1'), good])
    assert.ok(!Buffer.isBuffer(outcome), bad)
    assert.equal(outcome.index, 1)
  }
})

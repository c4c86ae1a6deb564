import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LABEL } from '../../test/documents/label-examples.ts'
import {
  DECLARATION,
  GOODS,
  LINE,
  NOTE,
  PARCEL,
  PROOF,
  SUMMARY,
} from '../../test/documents/paper-examples.ts'
import { textOf } from '../../test/documents/printed.ts'
import { without } from '../../test/tools.ts'
import { consignmentNotePdf } from './consignment-note.ts'
import { dangerousGoodsDeclarationPdf } from './dangerous-goods-declaration.ts'
import { labelPdf } from './label.ts'
import { orderSummaryPdf } from './order-summary.ts'
import { proofPdf } from './proof-of-delivery.ts'

const skip = without('pdftotext')

/** Each paper with a name wherever a customer or a shop writes text. */
const PAPERS: Readonly<Record<string, (name: string) => Promise<Buffer>>> = {
  label: (name) => labelPdf([{ ...LABEL, to: { ...LABEL.to, name }, specialInstructions: name }]),
  'manifest and order summary': (name) =>
    orderSummaryPdf({
      ...SUMMARY,
      store: { name, place: name },
      lines: [{ ...LINE, reference: name, to: `${name}, Footscray VIC 3011` }],
    }),
  'consignment note': (name) =>
    consignmentNotePdf({
      ...NOTE,
      from: { ...NOTE.from, name },
      to: { ...NOTE.to, name, lines: [name, '7/12 Kerr St'] },
      instructions: [name],
      parcels: [{ ...PARCEL, reference: name }],
    }),
  'declaration of dangerous goods': (name) =>
    dangerousGoodsDeclarationPdf({
      ...DECLARATION,
      consignor: { ...LABEL.from, name },
      consignee: { ...LABEL.to, name, company: name },
      goods: [{ ...GOODS, parcelReference: name }],
    }),
  'proof of delivery': (name) =>
    proofPdf({ ...PROOF, to: `${name}, 7/12 Kerr St, Fitzroy VIC 3065`, signedBy: name, driverName: name }),
}
/** How often each paper has the name. */
const TIMES = [2, 4, 5, 4, 3]

test('every document prints a Chinese and an Arabic name, and the street beside it in the right order', {
  skip,
}, async () => {
  for (const name of ['陳曉曄', 'محمد']) {
    for (const [index, [paper, draw]] of Object.entries(PAPERS).entries()) {
      const pdf = await draw(name)
      // pdftotext marks the direction of Arabic by these three.
      const read = textOf(pdf, { layout: false })
        .join('\n')
        .replace(/[\u202a-\u202c]/g, '')
      assert.equal(read.split(name).length - 1, TIMES[index], `${paper}: ${name} in ${read}`)
      assert.doesNotMatch(read, /\?{2}/, paper)
      if (read.includes('Kerr')) assert.match(read, /7\/12 Kerr St/, `${paper}: ${read}`)
    }
  }
})

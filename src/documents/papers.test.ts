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
import { pagesOf, textOf, unpacked } from '../../test/documents/printed.ts'
import { without } from '../../test/tools.ts'
import { consignmentNotePdf } from './consignment-note.ts'
import { dangerousGoodsDeclarationPdf } from './dangerous-goods-declaration.ts'
import { type OrderSummary, orderSummaryPdf } from './order-summary.ts'
import { pagesOf as breakPages, rowMarks } from './paper.ts'
import { proofPdf } from './proof-of-delivery.ts'

const skip = without('pdftotext', 'pdfinfo', 'qpdf')

test('a long manifest has several pages, with totals on each and signatures on the last', {
  skip,
}, async () => {
  const lines = Array.from({ length: 60 }, (_, index) => ({ ...LINE, reference: `WC-${index}` }))
  const pdf = await orderSummaryPdf({ ...SUMMARY, lines })
  assert.deepEqual(pagesOf(pdf), { count: 3, size: '210 × 297' })
  const pages = textOf(pdf)
  for (const [index, page] of pages.entries()) {
    for (const words of ['SPO1', '120', '252 kg', '$1128.50', `Page ${index + 1} of 3`]) {
      assert.ok(page.includes(words), `${words} on page ${index + 1}: ${page}`)
    }
  }
  assert.deepEqual(
    pages.map((page) => page.includes('Handed over')),
    [false, false, true],
  )
  for (const { reference } of lines) assert.ok(pages.join().includes(`${reference} `), reference)
})

test('an order summary says if it is a draft, a test or has dangerous goods', { skip }, async () => {
  const cases: [Partial<OrderSummary>, string, boolean][] = [
    [{}, 'NOT SUBMITTED', false],
    [{ orderId: null, submittedAt: null, totalCost: null }, 'DRAFT – NOT SUBMITTED', true],
    [{ sandbox: true }, 'TEST – DO NOT CARRY', true],
    [{ dangerousGoods: true }, 'DANGEROUS GOODS', true],
  ]
  for (const [over, words, there] of cases) {
    assert.equal(
      textOf(await orderSummaryPdf({ ...SUMMARY, ...over }))
        .join()
        .includes(words),
      there,
      words,
    )
  }
})

test('a declaration prints class and UN number in full, on as many pages as it takes', { skip }, async () => {
  const pdf = await dangerousGoodsDeclarationPdf({ ...DECLARATION, goods: Array(21).fill(GOODS) })
  const pages = textOf(pdf)
  assert.equal(pages.length, 2)
  for (const page of pages) {
    for (const words of ['UN0404', '1.4S', 'Flares, aerial', '0.3 kg net', '3 × carton', 'I declare']) {
      assert.ok(page.includes(words), `${words} in ${page}`)
    }
  }
})

test('a declaration has the fields that carriers add to the Code, and blanks for missing values', {
  skip,
}, async () => {
  const perfume = {
    ...GOODS,
    unNumber: 'UN1266',
    properShippingName: 'Perfumery products',
    classDivision: '3',
  }
  const particulars = {
    limitedQuantity: true,
    flashPointC: 24.5,
    marinePollutant: true,
    packingInstruction: 'PI 353',
    emergencyPhone: '1800 000 000',
  }
  const [declaration = ''] = textOf(
    await dangerousGoodsDeclarationPdf({ ...DECLARATION, goods: [{ ...perfume, particulars }] }),
  )
  const words = ['limited quantity: yes', '24.5 °C', 'marine pollutant', 'PI 353', '1800 000 000']
  for (const one of words)
    assert.ok(declaration.replace(/\s+/g, ' ').includes(one), `${one} in ${declaration}`)
  const [unreported = ''] = textOf(await dangerousGoodsDeclarationPdf({ ...DECLARATION, goods: [perfume] }))
  assert.match(unreported.replace(/\s+/g, ' '), /limited quantity: no.*flash point \.{5,}/s)
  assert.match(unreported, /Emergency, day and night[\s\S]*\.{5,}/)
})

test('a declaration is for air only if all of its goods may fly', { skip }, async () => {
  const [road] = textOf(await dangerousGoodsDeclarationPdf(DECLARATION))
  assert.ok(road?.includes('ROAD ONLY'))
  const [air] = textOf(await dangerousGoodsDeclarationPdf({ ...DECLARATION, byAir: true }))
  assert.ok(air?.includes('MAY BE CARRIED BY AIR'))
  assert.ok(air?.includes('international'))
})

test('callers’ input is printed as text', { skip }, async () => {
  const hostile = ') Tj /JS (app.alert(1)) \u202e \\ %%EOF'.padEnd(10_000, 'x')
  const paper = await dangerousGoodsDeclarationPdf({
    ...DECLARATION,
    reference: hostile,
    consignee: { ...DECLARATION.consignee, name: hostile, lines: [hostile, hostile] },
    goods: [{ ...GOODS, properShippingName: hostile, declaration: hostile }],
  })
  const list = await orderSummaryPdf({ ...SUMMARY, lines: [{ ...LINE, reference: hostile, to: hostile }] })
  for (const pdf of [paper, list]) assert.doesNotMatch(unpacked(pdf), /\/(JS|JavaScript|OpenAction|URI)\b/)
})

/** Words that occur once, to so many characters; `joined` without blanks, as references may be. */
function long(length: number, { joined = false } = {}): string[] {
  longest += 1
  const words: string[] = []
  for (let n = 0; words.join(' ').length + 7 < length; n++)
    words.push(`${LETTERS[longest % 26]}${longest}w${n}`)
  return joined ? [words.join('').slice(0, length)] : words
}
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
let longest = 0

/** Draws a paper with the longest accepted texts in every field, and reads each of them back from the PDF. */
async function readsBack(draw: (text: (length: number, joined?: boolean) => string) => Promise<Buffer>) {
  const given: string[] = []
  const pdf = await draw((length, joined = false) => {
    const words = long(length, { joined })
    given.push(...words)
    return words.join(' ')
  })
  const read = textOf(pdf, { layout: false }).join('\n')
  assert.doesNotMatch(read, /…/)
  const solid = read.replace(/\s+/g, '')
  for (const words of given)
    assert.ok(solid.includes(words), `${words} is missing in ${read.slice(0, 3_000)}`)
  return pdf
}

test('a manifest prints the longest references, names and goods in full', { skip }, async () => {
  await readsBack((text) =>
    orderSummaryPdf({
      ...SUMMARY,
      carrierName: text(60),
      group: text(60),
      orderId: text(100, true),
      store: { name: text(100), place: text(300) },
      lines: Array.from({ length: 30 }, () => ({
        ...LINE,
        reference: text(100, true),
        consignmentNumber: text(40, true),
        to: text(120),
        dangerousGoods: text(200),
        articleIds: [text(40, true)],
      })),
    }),
  )
})

test('a declaration prints the longest names, addresses and declarations in full', { skip }, async () => {
  await readsBack((text) => {
    const party = () => ({
      ...LABEL.to,
      name: text(100),
      company: text(100),
      lines: [text(200), text(200)],
      suburb: text(60),
    })
    return dangerousGoodsDeclarationPdf({
      ...DECLARATION,
      carrierName: text(60),
      serviceCode: text(60),
      consignmentNumber: text(40, true),
      reference: text(100, true),
      consignor: party(),
      consignee: party(),
      goods: Array.from({ length: 12 }, () => ({
        ...GOODS,
        parcelReference: text(100, true),
        properShippingName: text(200),
        declaration: text(2_000),
        particulars: {
          limitedQuantity: true,
          flashPointC: 24.5,
          marinePollutant: true,
          packingInstruction: text(60),
          emergencyPhone: text(40),
        },
      })),
    })
  })
})

test('a courier’s booking prints every instruction, address line and reference in full', {
  skip,
}, async () => {
  await readsBack((text) => {
    const end = () => ({
      name: text(100),
      phone: '+61390000000',
      lines: [text(100), text(200), text(200), text(100)],
    })
    return consignmentNotePdf({
      ...NOTE,
      carrierName: text(60),
      serviceName: text(60),
      consignmentNumber: text(40, true),
      reference: text(100, true),
      from: end(),
      to: end(),
      instructions: [text(250), text(250), text(250), text(100), text(100), text(100)],
      parcels: Array.from({ length: 25 }, () => ({
        ...PARCEL,
        reference: text(100, true),
        dangerousGoods: text(200),
        articleIds: [text(40, true)],
      })),
    })
  })
})

test('a proof prints the longest names and addresses in full, above the signature', { skip }, async () => {
  const pdf = await readsBack((text) =>
    proofPdf({
      ...PROOF,
      reference: text(100, true),
      store: text(100),
      from: text(100),
      to: text(400),
      driverName: text(100),
      signedBy: text(100),
      consignmentNumber: text(40, true),
    }),
  )
  assert.equal(pagesOf(pdf).count, 1)
})

test('the pages of a document end above their footer, and no text overlaps another', async () => {
  const wide = 'W'.repeat(100)
  const draw = (n: number, y: number) =>
    rowMarks(COLUMNS, Array(COLUMNS.length).fill(n % 3 ? 'short' : wide), y)
  const pages = await breakPages(
    Array.from({ length: 90 }, (_, n) => n),
    draw,
    { top: 500, end: 2_200 },
  )
  assert.ok(pages.length > 3)
  for (const marks of pages) {
    let bottom = 0
    for (const mark of marks) {
      if (mark.kind === 'fill') bottom = mark.y
      if (mark.kind === 'text') assert.ok(mark.y > bottom && mark.y + mark.size < 2_200, mark.text)
    }
  }
})
const COLUMNS = [
  { head: 'A', x: 0, width: 270 },
  { head: 'B', x: 290, width: 90 },
]

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LABEL } from '../../test/documents/label-examples.ts'
import { pagesOf, textOf, unpacked } from '../../test/documents/printed.ts'
import { without } from '../../test/tools.ts'
import {
  type DeclaredGoods,
  dangerousGoodsDeclarationPdf,
  type GoodsDeclaration,
} from './dangerous-goods-declaration.ts'
import { type OrderSummary, orderSummaryPdf, type SummaryLine } from './order-summary.ts'

const line: SummaryLine = {
  reference: 'WC-1',
  consignmentNumber: 'SP1',
  to: 'Footscray VIC 3011',
  units: 2,
  weightKg: 4.2,
  articleIds: ['SP1001', 'SP1002'],
  dangerousGoods: '',
}
const summary: OrderSummary = {
  carrierName: 'Southern Parcels',
  group: 'SOUTHERN-ROAD',
  dangerousGoods: false,
  manifestId: 'man_01jdexample0000000000000a1',
  orderId: 'SPO1',
  sandbox: false,
  store: { name: 'Fitzroy', place: '250 Brunswick St, Fitzroy' },
  madeAt: '2026-11-24T16:02:00+11:00',
  submittedAt: '2026-11-24T16:03:00+11:00',
  totalCost: 1128.5,
  lines: [line],
}
const goods: DeclaredGoods = {
  parcelReference: 'BOX-1',
  unNumber: 'UN0404',
  properShippingName: 'Flares, aerial',
  classDivision: '1.4S',
  subsidiaryRisk: null,
  packingGroup: null,
  packages: 3,
  packaging: 'carton',
  quantity: { kg: 0.1 + 0.2, of: 'net' },
  declaration: null,
  particulars: null,
}
const declaration: GoodsDeclaration = {
  carrierName: 'Southern Parcels',
  serviceCode: 'SP-ROAD',
  byAir: false,
  consignmentNumber: 'SP1',
  reference: 'WC-1',
  sandbox: false,
  date: '2026-11-24',
  consignor: LABEL.from,
  consignee: LABEL.to,
  goods: [goods],
}

const skip = without('pdftotext', 'pdfinfo', 'qpdf')

test('a long manifest goes on over pages, with its sums on each and signatures on the last', {
  skip,
}, async () => {
  const lines = Array.from({ length: 60 }, (_, index) => ({ ...line, reference: `WC-${index}` }))
  const pdf = await orderSummaryPdf({ ...summary, lines })
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

test('a paper says what it is not', { skip }, async () => {
  const cases: [Partial<OrderSummary>, string, boolean][] = [
    [{}, 'NOT SUBMITTED', false],
    [{ orderId: null, submittedAt: null, totalCost: null }, 'DRAFT – NOT SUBMITTED', true],
    [{ sandbox: true }, 'TEST – DO NOT CARRY', true],
    [{ dangerousGoods: true }, 'DANGEROUS GOODS', true],
  ]
  for (const [over, words, there] of cases) {
    assert.equal(
      textOf(await orderSummaryPdf({ ...summary, ...over }))
        .join()
        .includes(words),
      there,
      words,
    )
  }
})

test('a declaration prints class and UN number in full, on as many pages as it takes', { skip }, async () => {
  const pdf = await dangerousGoodsDeclarationPdf({ ...declaration, goods: Array(11).fill(goods) })
  const pages = textOf(pdf)
  assert.equal(pages.length, 2)
  for (const page of pages) {
    for (const words of ['UN0404', '1.4S', 'Flares, aerial', '0.3 kg net', '3 × carton', 'I declare']) {
      assert.ok(page.includes(words), `${words} in ${page}`)
    }
  }
})

test('a declaration says what carriers ask beside the Code, and leaves room for what nobody told', {
  skip,
}, async () => {
  const perfume = {
    ...goods,
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
  const [told = ''] = textOf(
    await dangerousGoodsDeclarationPdf({ ...declaration, goods: [{ ...perfume, particulars }] }),
  )
  const words = ['limited quantity: yes', '24.5 °C', 'marine pollutant', 'PI 353', '1800 000 000']
  for (const one of words) assert.ok(told.replace(/\s+/g, ' ').includes(one), `${one} in ${told}`)
  const [untold = ''] = textOf(await dangerousGoodsDeclarationPdf({ ...declaration, goods: [perfume] }))
  assert.match(untold.replace(/\s+/g, ' '), /limited quantity: no.*flash point \.{5,}/s)
  assert.match(untold, /Emergency, day and night[\s\S]*\.{5,}/)
})

test('only what may all fly is declared for the air', { skip }, async () => {
  const [road] = textOf(await dangerousGoodsDeclarationPdf(declaration))
  assert.ok(road?.includes('ROAD ONLY'))
  const [air] = textOf(await dangerousGoodsDeclarationPdf({ ...declaration, byAir: true }))
  assert.ok(air?.includes('MAY BE CARRIED BY AIR'))
  assert.ok(air?.includes('international'))
})

test('what callers write stays text', { skip }, async () => {
  const hostile = ') Tj /JS (app.alert(1)) \u202e \\ %%EOF'.padEnd(10_000, 'x')
  const paper = await dangerousGoodsDeclarationPdf({
    ...declaration,
    reference: hostile,
    consignee: { ...declaration.consignee, name: hostile, lines: [hostile, hostile] },
    goods: [{ ...goods, properShippingName: hostile, declaration: hostile }],
  })
  const list = await orderSummaryPdf({ ...summary, lines: [{ ...line, reference: hostile, to: hostile }] })
  for (const pdf of [paper, list]) assert.doesNotMatch(unpacked(pdf), /\/(JS|JavaScript|OpenAction|URI)\b/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ARTICLE, LABEL } from '../../test/documents/label-examples.ts'
import { pagesOf, scansOf, textOf } from '../../test/documents/printed.ts'
import { without } from '../../test/tools.ts'
import { articleBarcodes, deliveryBarcodes } from './barcode-content.ts'
import { labelPdf } from './label.ts'

const skip = without('pdfinfo', 'pdftotext')

test('a batch is one PDF with a 100 × 150 mm page for each article', { skip }, async () => {
  const three = [1, 2, 3].map((number) => ({ ...ARTICLE, number, of: 3 }))
  const pdf = await labelPdf([{ ...LABEL, articles: three }, LABEL])
  assert.deepEqual(pagesOf(pdf), { count: 4, size: '100 × 150' })
  const parcels = textOf(pdf).map((page) => /\d of \d/.exec(page)?.[0])
  assert.deepEqual(parcels, ['1 of 3', '2 of 3', '3 of 3', '1 of 1'])
})

test('the same labels give the same bytes', async () => {
  assert.deepEqual(await labelPdf([LABEL, LABEL]), await labelPdf([LABEL, LABEL]))
})

test('the label has everything that a driver needs in words', { skip }, async () => {
  const message = await words(LABEL)
  for (const expected of [
    'Southern Parcels',
    'ROAD · SP-ROAD',
    'STANDARD',
    'FOOTSCRAY VIC 3011',
    'Luca Marino',
    'Unit 7, 88 Hyde Street',
    'Phone 0491 570 157',
    'WC-10473',
    'dlv_01JDEXAMPLE0000000000000A1',
    'SP0041830',
    'Wed 25 Nov, 8 am – 6 pm',
    'Tue 24 Nov',
    '2.1 kg, 30 × 20 × 15 cm',
    'BOX-1 · Sneakers',
    'Leave at the side door behind the green bin.',
    'AUTHORITY TO LEAVE',
    'Wattle & Co Fitzroy',
    'Fitzroy VIC 3065 · 0491 570 156',
    'NO DANGEROUS GOODS',
    '(420)3011(91)SPA0041830001',
  ]) {
    assert.ok(message.includes(expected), `${expected} is not in: ${message}`)
  }
})

test('the label shows everything out of the ordinary', { skip }, async () => {
  const goods = {
    unNumber: '1266',
    properShippingName: 'Perfumery products',
    classDivision: '3',
    packingGroup: 'II',
  }
  const dangerous = { ...ARTICLE, dangerousGoods: goods }
  const battery = {
    ...ARTICLE,
    dangerousGoods: { ...goods, unNumber: 'UN3481', classDivision: '9', packingGroup: null },
  }
  const reason = 'Alcohol is handed to an adult.'
  const cases = [
    [{ sandbox: true }, 'TEST – DO NOT CARRY'],
    [{ mode: 'customer_pickup' }, 'RETURN: PICK UP FROM CUSTOMER'],
    [{ signatureRequired: true }, 'SIGNATURE REQUIRED'],
    [{ idCheckRequired: true }, 'ID CHECK 18+'],
    [{ authorityToLeave: false }, 'NO AUTHORITY TO LEAVE'],
    [{ authorityToLeave: false, authorityToLeaveRefusedBecause: reason }, `DO NOT LEAVE`],
    [{ authorityToLeave: false, authorityToLeaveRefusedBecause: reason }, reason],
    [{ pickupInstructions: 'Rear dock.' }, 'At pickup Rear dock.'],
    [{ articles: [dangerous] }, 'UN1266, class 3, packing group II'],
    [{ articles: [dangerous] }, 'Perfumery products'],
    [{ articles: [battery] }, 'UN3481, class 9'],
    [{ to: { ...LABEL.to, company: 'Marino Pty Ltd' } }, 'Marino Pty Ltd'],
  ] as const
  const plain = await words(LABEL)
  for (const [change, expected] of cases) {
    const message = await words({ ...LABEL, ...change })
    assert.ok(message.includes(expected), `${expected} is not in: ${message}`)
    assert.ok(!plain.includes(expected), `${expected} is on an ordinary label`)
  }
})

test('four lines of instructions are complete beside every banner, box and note', { skip }, async () => {
  const lines = [
    'Ring the bell twice.',
    'The dog is friendly – close the gate.',
    'Nobody home: number 12 next door.',
    'Ask for Mrs Papadopoulos.',
  ]
  const message = await words({
    ...LABEL,
    sandbox: true,
    mode: 'customer_pickup',
    signatureRequired: true,
    idCheckRequired: true,
    authorityToLeave: false,
    authorityToLeaveRefusedBecause: 'Alcohol is handed to an adult.',
    specialInstructions: lines.join('\n'),
    pickupInstructions: 'Rear dock, ask for Kim. Loading zone only until 4 pm.',
  })
  for (const line of lines) assert.ok(message.includes(line), `${line} is not in: ${message}`)
  assert.ok(message.includes('until 4 pm.'), message)
})

test('scanners read both barcodes', { skip: without('pdftoppm', 'zbarimg', 'dmtxread') }, async () => {
  const made = { postCode: '3011', madeAtMs: Date.UTC(2026, 10, 23, 23, 42, 7) }
  const carriers = ['SPA0041830001', 'ABCDEFGHIJKLMNOPQRST', 'X'.repeat(30), '7']
  const codes = [
    ...carriers.map((articleId) => articleBarcodes({ ...made, articleId })),
    deliveryBarcodes('dlv_01JDEXAMPLE0000000000000A1'),
  ]
  const pdf = await labelPdf([{ ...LABEL, articles: codes.map((barcodes) => ({ ...ARTICLE, barcodes })) }])
  const scans = scansOf(pdf)
  for (const [index, { linear, matrix }] of codes.entries()) {
    assert.equal(scans[index]?.linear, scanned(linear).replace('\x1d', ''))
    assert.equal(scans[index]?.matrix, scanned(matrix))
  }
})

/** FNC1, read as 0x1d, precedes each GS1 element; zbarimg leaves out the first one. */
function scanned({ kind, text }: { kind: string; text: string }): string {
  return kind.startsWith('gs1') ? text.replaceAll('(', '\x1d').replaceAll(')', '') : text
}

async function words(label: typeof LABEL): Promise<string> {
  const pages = textOf(await labelPdf([label]), { layout: false })
  return pages.join(' ').replace(/\s+/g, ' ')
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compiledAccount, exampleAccount } from '../../../test/demo-account.ts'
import { documentWith } from '../../../test/documents/account-texts.ts'
import { textOf } from '../../../test/documents/printed.ts'
import { TUESDAY_TEN } from '../../../test/jobs.ts'
import { defined, deliveryRequest, requestParcel } from '../../../test/requests.ts'
import { without } from '../../../test/tools.ts'
import { ALWAYS_FIT } from '../../documents/label/always-fit.ts'
import { isCut, labelMarks } from '../../documents/label/layout.ts'
import { labelPdf, labelZpl } from '../../documents/label.ts'
import { widthOf } from '../../documents/pdf/face.ts'
import { printable } from '../../documents/pdf/printable.ts'
import type { DeliveryRequest } from '../../domain/delivery/request.ts'
import { Refusal } from '../../domain/errors.ts'
import { resolveDelivery } from '../../domain/quoting/resolve/resolve-delivery.ts'
import { toLabel } from './delivery-label.ts'
import { labelWarnings, refuseCutLabel } from './label-issues.ts'

const account = exampleAccount('demo-account')
const skip = without('pdftotext')

/** The longest that a request may have (`delivery-request-schema.ts`). */
const LONGEST = {
  reference: 100,
  instructions: 1_000,
  pickup: 1_000,
  name: 200,
  firstName: 100,
  lastName: 100,
  company: 200,
  address: 200,
  address2: 200,
  city: 100,
  parcel: 100,
  description: 200,
  goods: 200,
}
type Texts = Record<keyof typeof LONGEST, string>

const PATHS: Record<string, keyof Texts> = {
  reference: 'reference',
  special_instructions: 'instructions',
  pickup_instructions: 'pickup',
  'address.name': 'name',
  'address.company_name': 'company',
  'address.address': 'address',
  'address.address2': 'address2',
  'address.city': 'city',
  'customer.first_name': 'firstName',
  'customer.last_name': 'lastName',
  'parcels[0].reference': 'parcel',
  'parcels[0].description': 'description',
  'parcels[0].dangerous_goods.technical_name': 'goods',
}

const plain: Texts = {
  reference: 'WC-10471',
  instructions: 'Ring twice.',
  pickup: 'Rear dock.',
  name: '',
  firstName: 'Ada',
  lastName: 'Nguyen',
  company: '',
  address: '12 Swan St',
  address2: '',
  city: 'Richmond',
  parcel: 'BOX-1',
  description: 'Kettle',
  goods: 'Perfumery products',
}

function requestWith(texts: Texts): DeliveryRequest {
  const { address, customer } = deliveryRequest
  const dangerousGoods = defined('perfumery', { technicalName: texts.goods })
  return {
    ...deliveryRequest,
    reference: texts.reference,
    specialInstructions: texts.instructions || null,
    pickupInstructions: texts.pickup || null,
    address: {
      ...address,
      name: texts.name || null,
      companyName: texts.company || null,
      address: texts.address,
      address2: texts.address2 || null,
      city: texts.city,
    },
    customer: { ...customer, firstName: texts.firstName, lastName: texts.lastName },
    parcels: [
      {
        ...requestParcel,
        reference: texts.parcel,
        description: texts.description || null,
        containsDangerousGoods: true,
        dangerousGoods,
      },
    ],
  }
}

function resolvedOf(texts: Texts) {
  const resolved = resolveDelivery(account, requestWith(texts), { sight: () => true, nowMs: TUESDAY_TEN })
  assert.ok('content' in resolved, JSON.stringify(resolved))
  return resolved
}

/** The fields that are too long, with the length that fits. */
async function refusedOf(texts: Texts): Promise<[keyof Texts, number][]> {
  try {
    await refuseCutLabel(account, texts.reference, resolvedOf(texts))
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.issues.map(({ field, issue, message }) => {
      assert.equal(issue, 'too_long')
      const key = PATHS[field]
      const [, has, fits] = /has (\d+) characters, and the label has space for (\d+) of them/.exec(message)!
      assert.ok(key && Number(has) === texts[key].length, message)
      return [key, Number(fits)]
    })
  }
}

function booked(texts: Texts) {
  const { content, store, readyForPickupAtMs } = resolvedOf(texts)
  return toLabel(account, {
    id: 'dlv_01JDEXAMPLE0000000000000A1',
    storeId: store.id,
    reference: texts.reference,
    content,
    deliveryType: 'standard',
    chosen: { carrierName: 'Big Haul', service: 'Road', carrierCode: 'BH-R', pickupMs: readyForPickupAtMs },
    window: { fromMs: readyForPickupAtMs, toMs: readyForPickupAtMs + 86_400_000 },
    readyForPickupAtMs,
    consignmentNumber: 'C'.repeat(64),
    articles: [{ parcelReference: texts.parcel, articleIds: ['SPA0041830001'] }],
    createdAtMs: TUESDAY_TEN,
    bookedAtMs: TUESDAY_TEN,
  })
}

/** What is on paper, without blanks: the PDF as pdftotext reads it, and the fields of the ZPL. */
async function printed(all: readonly Texts[]): Promise<{ pdf: string; zpl: string }[]> {
  const labels = all.map(booked)
  const pages = textOf(await labelPdf(labels), { layout: false })
  const zpl = (await labelZpl(labels)).toString().split('^XA').slice(1)
  return pages.map((page, index) => ({ pdf: squeezed(page), zpl: squeezed(zplWords(zpl[index]!)) }))
}

function zplWords(label: string): string {
  const fields = [...label.matchAll(/\^FH\^FD([^^]*)\^FS/g)].map(([, field]) => field!)
  const bytes = fields
    .join(' ')
    .replace(/_([0-9A-F]{2})/g, (_, pair) => String.fromCharCode(Number.parseInt(pair, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '')
}

function assertAllThere(texts: Texts, { pdf, zpl }: { pdf: string; zpl: string }): void {
  const shown = texts.name === '' ? texts : { ...texts, firstName: '', lastName: '' }
  for (const [key, text] of Object.entries(shown)) {
    const wanted = squeezed(key === 'city' ? text.toUpperCase() : text)
    assert.ok(pdf.includes(wanted), `${key} is cut in the PDF: ${wanted}\n${pdf}`)
    assert.ok(zpl.includes(wanted), `${key} is cut in the ZPL: ${wanted}\n${zpl}`)
  }
}

test('real addresses of 55 to 79 characters, long names and long instructions are printed in full', {
  skip,
}, async () => {
  const streets = [
    'Shop 1042, Level 1, Westfield Doncaster Shopping Centre, 619 Doncaster Road',
    'Unit 14, Building C, Rhodes Corporate Park, 1 Homebush Bay Drive',
    'Ward 5 West, Royal Prince Alfred Hospital, 50 Missenden Road',
    'Suite 2304, Level 23, Australia Square Tower, 264-278 George Street',
    'Reception, Building 40, The University of Queensland, Chancellors Place, Level 3',
  ]
  const word = 'Please leave the parcel behind the green bin at the side gate and close it. '
  const cases: Texts[] = [
    ...streets.map((address) => ({ ...plain, address })),
    {
      ...plain,
      firstName: 'Maria Alejandra Guadalupe',
      lastName: 'Papadimitrakopoulou-Wolfeschlegelsteinhausen',
      company:
        'The Trustee for the Featherstonehaugh Family Discretionary Trust t/as Wagga Wagga Fresh Produce',
      address: streets[0]!,
      address2: 'Attention: Accounts Payable, goods in via loading dock 4 off Williamsons Road',
      instructions: word.repeat(6).trim(),
    },
    { ...plain, instructions: word.repeat(13).trim(), pickup: '' },
    { ...plain, reference: 'R'.repeat(100), parcel: 'P'.repeat(100), description: word.repeat(2).trim() },
  ]
  for (const texts of cases) assert.deepEqual(await refusedOf(texts), [], JSON.stringify(texts))
  for (const [index, page] of (await printed(cases)).entries()) assertAllThere(cases[index]!, page)
})

test('texts that are narrow in every field always fit', async () => {
  // No more than is accepted without being laid out, but the reference: its one character too many has all laid out.
  const reference = 'W'.repeat(25)
  const narrow = (field: keyof Texts) => {
    const notes = LONGEST[field] === 1_000
    const max = (notes ? ALWAYS_FIT.note : ALWAYS_FIT.text) * widthOf('plain', 'W')
    const words = fc.array(fc.tuple(fc.constantFrom('W', 'n', 'il', 'Ö'), fc.integer({ min: 1, max: 20 })), {
      minLength: 40,
      maxLength: 80,
    })
    return words.map((parts) => {
      let text = ''
      for (const [letters, count] of parts)
        for (const letter of `${text === '' ? '' : ' '}${letters.repeat(count)}`)
          if (widthOf('plain', text + letter) <= max && text.length < LONGEST[field]) text += letter
      return text.trim()
    })
  }
  const fields = Object.keys(LONGEST).filter((field) => field !== 'reference') as (keyof Texts)[]
  const narrowTexts = fc.record(Object.fromEntries(fields.map((field) => [field, narrow(field)])))
  const widest = Object.fromEntries(
    fields.map((field) => [field, 'W'.repeat(LONGEST[field] === 1_000 ? ALWAYS_FIT.note : ALWAYS_FIT.text)]),
  )
  for (const drawn of [widest, ...fc.sample(narrowTexts, { numRuns: 60, seed: 32 })]) {
    // Of random letters some become a suburb far away.
    const texts = { ...drawn, city: widest.city, parcel: 'W'.repeat(24), reference } as Texts
    for (const name of ['', texts.name])
      assert.deepEqual(await refusedOf({ ...texts, name }), [], JSON.stringify(texts))
  }
})

const filled = (max: number) =>
  fc
    .tuple(
      fc.constantFrom('W', 'il', 'Wattlewood ', 'Österreichstraße 7, ', 'MMMMMMM ', 'a line\nand another '),
      fc.oneof(fc.constant(max), fc.integer({ min: 1, max: max }), fc.integer({ min: 1, max: 20 })),
    )
    .map(([unit, length]) => {
      const text = unit.repeat(length).slice(0, length)
      return (max === 1_000 ? text : text.replaceAll('\n', ' ')).trim() || 'x'
    })
const extreme = fc.record(
  Object.fromEntries(Object.entries(LONGEST).map(([key, max]) => [key, filled(max)])) as Record<
    keyof Texts,
    fc.Arbitrary<string>
  >,
)
const extremes: fc.Arbitrary<Texts> = fc
  .tuple(extreme, fc.subarray(Object.keys(LONGEST) as (keyof Texts)[], { maxLength: 5 }), fc.boolean())
  .map(([texts, chosen, all]) =>
    all ? texts : { ...plain, ...Object.fromEntries(chosen.map((key) => [key, texts[key]])) },
  )

test('a text of any length is printed in full, or refused with the length that is', { skip }, async () => {
  const accepted: Texts[] = []
  let refusals = 0
  for (const texts of fc.sample(extremes, { numRuns: 60, seed: 32 })) {
    const refused = await refusedOf(texts)
    if (refused.length > 0) refusals += 1
    const shorter = { ...texts }
    for (const [key, length] of refused) shorter[key] = texts[key].slice(0, length).trim()
    assert.deepEqual(await refusedOf(shorter), [], JSON.stringify(refused))
    accepted.push(shorter)
  }
  assert.ok(refusals > 5 && refusals < 55, `${refusals} of ${accepted.length} are refused`)
  for (const [index, page] of (await printed(accepted)).entries()) assertAllThere(accepted[index]!, page)
})

test('a name in another script is printed in that script, and the delivery warns of what no font has', {
  skip,
}, async () => {
  const texts = { ...plain, firstName: 'Дмитрий', lastName: 'Ångström-Nguyễn', instructions: '请按门铃 😀' }
  const { content } = resolvedOf(texts)
  assert.deepEqual(labelWarnings(content, texts.reference), [
    'In special_instructions the label prints 😀 as “:grinning:”, because its fonts do not have them.',
  ])
  const page = (await printed([texts]))[0]?.pdf ?? ''
  for (const words of ['Дмитрий', 'Ångström-Nguyễn', '请按门铃', 'QingAnMenLing'])
    assert.ok(page.includes(words), page)
})

test('a Latin letter that no font has is printed in plain letters, with a warning', () => {
  const texts = {
    ...plain,
    lastName: 'Ɗanjuma',
    firstName: 'Ḥasan',
    instructions: 'ﬁrst ﬂoor, Ⅳ',
    company: 'Ｆｉｔｚ',
  }
  assert.deepEqual(labelWarnings(resolvedOf(texts).content, texts.reference), [
    'In customer.first_name the label prints Ḥ as “H”, because its fonts do not have them.',
    'In customer.last_name the label prints Ɗ as “D”, because its fonts do not have them.',
  ])
  assert.equal(printable('Ɗanjuma', 'plain'), 'Danjuma')
})

test('a character that a label could only print as ? is refused with its position, in every parcel', async () => {
  const texts = { ...plain, instructions: 'Ring \uF8FF', firstName: 'Ada\u{F0000}', lastName: 'Ɗanjuma 请' }
  const resolved = resolvedOf(texts)
  const [parcel] = resolved.content.parcels
  const second = { ...parcel!, reference: 'B', description: '\uE000', dangerousGoods: null }
  const content = { ...resolved.content, parcels: [parcel!, second] }
  await assert.rejects(
    refuseCutLabel(account, texts.reference, { ...resolved, content }),
    (error: Refusal) => {
      assert.deepEqual(
        error.issues.map(({ field, issue, message }) => [
          field,
          issue,
          /U\+\w+ at position \d+/.exec(message)?.[0],
        ]),
        [
          ['special_instructions', 'invalid_value', 'U+F8FF at position 6'],
          ['customer.first_name', 'invalid_value', 'U+F0000 at position 4'],
          ['parcels[1].description', 'invalid_value', 'U+E000 at position 1'],
        ],
      )
      return true
    },
  )
  assert.deepEqual(await refusedOf({ ...texts, instructions: '', firstName: 'Ada' }), [])
})

test('long text in another script is printed in full, or refused with the length that is', {
  skip,
}, async () => {
  for (const unit of ['请放在门口', 'محمد بن عبد الله ', 'กรุณาวางไว้ที่หน้าประตู', 'Дмитрий Шевченко ']) {
    const long = (max: number) => unit.repeat(200).slice(0, max).trim()
    const texts = {
      ...plain,
      instructions: long(1_000),
      lastName: long(100),
      address2: long(200),
      company: long(200),
    }
    const refused = await refusedOf(texts)
    assert.ok(refused.length > 0, unit)
    const shorter = { ...texts }
    for (const [key, length] of refused) shorter[key] = texts[key].slice(0, length).trim()
    assert.deepEqual(await refusedOf(shorter), [], JSON.stringify(refused))
    const page = (await printed([shorter]))[0]?.pdf ?? ''
    const letters = (text: string) =>
      [...text].filter((letter) => /\p{L}/u.test(letter) && /[^\p{sc=Latin}]/u.test(letter)).length
    const written = [shorter.instructions, shorter.lastName, shorter.address2, shorter.company].map(letters)
    assert.ok(letters(page) >= written.reduce((sum, count) => sum + count, 0), `${unit}: ${page}`)
  }
})

test('the label of each parcel is measured with the name of goods that its definition has', async () => {
  const withLongName = compiledAccount(
    documentWith({ goods: 'WOOLLOOMOOLOO '.repeat(9).trim().slice(0, 110) }),
  )
  const goods = { containsDangerousGoods: true, dangerousGoods: defined('perfumery') }
  const resolvedWith = (instructions: string) => {
    const parcels = [requestParcel, { ...requestParcel, reference: 'BOX-2', ...goods }]
    const request = { ...requestWith({ ...plain, instructions }), parcels }
    const resolved = resolveDelivery(withLongName, request, { sight: () => true, nowMs: TUESDAY_TEN })
    assert.ok('content' in resolved, JSON.stringify(resolved))
    return resolved
  }
  const long = 'W'.repeat(1_000)
  let fitting = ''
  await assert.rejects(refuseCutLabel(withLongName, 'A-1', resolvedWith(long)), (error: Refusal) => {
    const [issue] = error.issues
    const [, fits] = /space for (\d+) of them/.exec(issue?.message ?? '') ?? []
    fitting = long.slice(0, Number(fits))
    return issue?.field === 'special_instructions'
  })
  const { content, store, readyForPickupAtMs } = resolvedWith(fitting)
  await refuseCutLabel(withLongName, 'A-1', resolvedWith(fitting))
  const label = toLabel(withLongName, {
    ...{
      id: 'dlv_01JDEXAMPLE0000000000000A1',
      storeId: store.id,
      reference: 'A-1',
      content,
      readyForPickupAtMs,
    },
    ...{
      deliveryType: 'standard',
      consignmentNumber: 'C'.repeat(64),
      createdAtMs: TUESDAY_TEN,
      bookedAtMs: null,
    },
    chosen: { carrierName: 'Big Haul', service: 'Road', carrierCode: 'BH-R', pickupMs: readyForPickupAtMs },
    window: { fromMs: readyForPickupAtMs, toMs: readyForPickupAtMs + 86_400_000 },
    articles: ['BOX-1', 'BOX-2'].map((parcelReference) => ({
      parcelReference,
      articleIds: ['SPA0041830001'],
    })),
  })
  for (const article of label.articles) assert.equal(isCut(labelMarks(label, article)), false)
})

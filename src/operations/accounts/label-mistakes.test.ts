import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compiledAccount, exampleDocument } from '../../../test/demo-account.ts'
import { DECLARATION, NOTE, PROOF, SUMMARY } from '../../../test/documents/paper-examples.ts'
import { textOf } from '../../../test/documents/printed.ts'
import { TUESDAY_TEN } from '../../../test/jobs.ts'
import { defined, deliveryRequest, requestParcel } from '../../../test/requests.ts'
import { without } from '../../../test/tools.ts'
import { consignmentNotePdf } from '../../documents/consignment-note.ts'
import { dangerousGoodsDeclarationPdf } from '../../documents/dangerous-goods-declaration.ts'
import { ALWAYS_FIT } from '../../documents/label/always-fit.ts'
import { isCut, labelMarks } from '../../documents/label/layout.ts'
import { type Label, labelPdf, labelZpl } from '../../documents/label.ts'
import { orderSummaryPdf } from '../../documents/order-summary.ts'
import { proofPdf } from '../../documents/proof-of-delivery.ts'
import { loadShaperFor } from '../../documents/script/load-shaper-for.ts'
import type { Path } from '../../domain/account/document/schema-at.ts'
import { issueOf, pathText } from '../../domain/account/validation/mistake.ts'
import { MOST_ISSUES, Refusal } from '../../domain/errors.ts'
import { resolveDelivery } from '../../domain/quoting/resolve/resolve-delivery.ts'
import { DELIVERY_MODES, type DeliveryMode } from '../../domain/values.ts'
import { labelOf } from '../paperwork/delivery-label.ts'
import { refuseCutLabel } from '../paperwork/label-issues.ts'
import { mistakesOfAccount } from './apply-account.ts'

const skip = without('pdftotext')

/** Everything of an account that labels print in the merchant's own words, and the longest that the schema accepts. */
const FIELDS = {
  brand: { path: ['brands', 0, 'name'], longest: 200 },
  store: { path: ['stores', 1, 'name'], longest: 200 },
  street: { path: ['stores', 1, 'address', 'address'], longest: 200 },
  unit: { path: ['stores', 1, 'address', 'address2'], longest: 200 },
  suburb: { path: ['stores', 1, 'address', 'city'], longest: 200 },
  carrier: { path: ['carriers', 0, 'name'], longest: 60 },
  service: { path: ['carriers', 0, 'services', 0, 'service'], longest: 60 },
  code: { path: ['carriers', 0, 'services', 0, 'carrier_code'], longest: 60 },
  goods: { path: ['dangerous_goods_definitions', 1, 'technical_name'], longest: 200 },
} as const satisfies Record<string, { path: Path; longest: number }>
type Name = keyof typeof FIELDS
type Texts = Partial<Record<Name, string>>
const NAMES = Object.keys(FIELDS) as Name[]

/** The demo account with these texts. */
function documentWith(texts: Texts): unknown {
  const document = exampleDocument('demo-account')
  for (const [name, text] of Object.entries(texts)) {
    const { path } = FIELDS[name as Name]
    const holder = path
      .slice(0, -1)
      .reduce<Record<string | number, unknown>>((value, step) => value[step] as never, document)
    holder[path.at(-1) as string] = text
  }
  return document
}

/** For each text that is too long, how many of its letters fit. */
async function refusedOf(texts: Texts): Promise<Map<Name, number>> {
  const mistakes = await mistakesOfAccount(documentWith(texts))
  return new Map(
    mistakes.map(({ path, kind, wrong, remedy }) => {
      const name = NAMES.find((one) => pathText(FIELDS[one].path) === pathText(path))
      const [, letters] =
        /^is too long to print on a label; at most about (\d+) letters like these fit$/.exec(wrong) ?? []
      assert.ok(
        name && letters && kind === 'too_long' && remedy === 'shorten it',
        `${pathText(path)} ${wrong} ${remedy}`,
      )
      return [name, Number(letters)]
    }),
  )
}

const first = (text: string, letters: number) => [...text].slice(0, letters).join('').trim()

/** The delivery with the widest texts that are accepted without being laid out, and one with short ones. */
const WIDE = {
  text: 'W'.repeat(ALWAYS_FIT.text),
  street: 'W'.repeat(ALWAYS_FIT.text),
  note: 'W'.repeat(ALWAYS_FIT.note),
  code: 'W'.repeat(ALWAYS_FIT.code),
}
const SHORT = { text: 'Ada', street: '12 Swan St', note: 'Ring twice.', code: 'WC-10471' }

function requestOf({ text, street, note, code }: typeof WIDE, deliveryMode: DeliveryMode) {
  const { address, customer } = deliveryRequest
  return {
    ...deliveryRequest,
    deliveryMode,
    reference: code,
    specialInstructions: note,
    pickupInstructions: note,
    productTypes: { alcohol: true },
    authorityToLeave: true,
    address: {
      ...address,
      companyName: text,
      address: street,
      address2: text,
      city: text === WIDE.text ? text : 'Richmond',
    },
    customer: { ...customer, firstName: text, lastName: text },
    parcels: [
      {
        ...requestParcel,
        reference: code,
        description: text,
        containsDangerousGoods: true,
        dangerousGoods: defined('perfumery'),
      },
    ],
  }
}

function resolvedOf(texts: Texts, words: typeof WIDE, mode: DeliveryMode) {
  const account = compiledAccount(documentWith(texts))
  const request = requestOf(words, mode)
  const resolved = resolveDelivery(account, request, { sight: () => true, nowMs: TUESDAY_TEN })
  assert.ok('content' in resolved, JSON.stringify(resolved))
  return { account, resolved, reference: request.reference }
}

/** The label of a delivery from or to the account's store, booked with the account's first service. */
function labelWith(texts: Texts, words: typeof WIDE, mode: DeliveryMode): Label {
  const { account, resolved, reference } = resolvedOf(texts, words, mode)
  const { content, store, readyForPickupAtMs } = resolved
  const { carriers } = documentWith(texts) as {
    carriers: { name: string; services: { service: string; carrier_code: string }[] }[]
  }
  const [carrier] = carriers
  const [service] = carrier!.services
  return labelOf(account, {
    id: 'dlv_01JDEXAMPLE0000000000000A1',
    storeId: store.id,
    reference,
    content,
    deliveryType: 'standard',
    chosen: {
      carrierName: carrier!.name,
      service: service!.service,
      carrierCode: service!.carrier_code,
      pickupMs: readyForPickupAtMs,
    },
    window: { fromMs: readyForPickupAtMs, toMs: readyForPickupAtMs + 86_400_000 },
    readyForPickupAtMs,
    consignmentNumber: 'C'.repeat(64),
    articles: [{ parcelReference: words.code, articleIds: ['SPA0041830001'] }],
    createdAtMs: TUESDAY_TEN,
    bookedAtMs: TUESDAY_TEN,
  })
}

/** Every label of accounts with these texts is whole: read back from the PDF, and from the ZPL where it is text there. */
async function assertWhole(all: readonly Texts[]): Promise<void> {
  const cases = all.flatMap((texts) =>
    DELIVERY_MODES.flatMap((mode) =>
      [WIDE, SHORT].map((words) => ({ texts, mode, label: labelWith(texts, words, mode) })),
    ),
  )
  const labels = cases.map(({ label }) => label)
  const pages = textOf(await labelPdf(labels), { layout: false })
  const zpl = (await labelZpl(labels)).toString().split('^XA').slice(1)
  await loadShaperFor(labels)
  for (const [index, { texts, mode, label }] of cases.entries()) {
    const marks = labelMarks(label, label.articles[0]!)
    assert.equal(isCut(marks), false, JSON.stringify({ texts, mode }))
    const fields = [...zpl[index]!.matchAll(/\^A0N|\^GFA/g)].length
    assert.equal(fields, marks.filter(({ kind }) => kind === 'text').length)
    const pdf = lettersOf(pages[index]!)
    const inZpl = squeezed(zplWords(zpl[index]!))
    // A line with another script is a graphic there.
    const isLatin = Object.values(texts).every((text) => /^[\x20-\x7e]*$/.test(text))
    for (const text of Object.values(texts)) {
      for (const [letter, count] of lettersOf(text))
        assert.ok((pdf.get(letter) ?? 0) >= count, `${letter} of ${text} in ${pages[index]}`)
      const wanted = squeezed(text).toUpperCase()
      assert.ok(!isLatin || inZpl.toUpperCase().includes(wanted), `${wanted} in ${inZpl}`)
    }
  }
}

function zplWords(label: string): string {
  const fields = [...label.matchAll(/\^FH\^FD([^^]*)\^FS/g)].map(([, field]) => field!)
  const bytes = fields
    .join(' ')
    .replace(/_([0-9A-F]{2})/g, (_, pair) => String.fromCharCode(Number.parseInt(pair, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const squeezed = (text: string) => text.replace(/\s+/g, '')

/** How often each letter is in a text, capital or small: the suburb of a recipient is in capitals. */
function lettersOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const letter of text.normalize('NFKC').toUpperCase())
    if (/[\p{L}\p{N}]/u.test(letter)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return counts
}

test('the examples have names and addresses that a label prints whole', async () => {
  for (const name of ['demo-account', 'acme-byoc'] as const)
    assert.deepEqual(await mistakesOfAccount(exampleDocument(name)), [], name)
})

/** How many letters of these words fit in each field beside the demo account's other texts; all that the schema accepts, or fewer. */
const LIMITS: Record<string, Partial<Record<Name, number>>> = {
  'WOOLLOOMOOLOO MEWS ': {
    ...{ brand: 90, store: 171, street: 190, unit: 172, suburb: 169 },
    ...{ carrier: 60, service: 60, code: 60, goods: 122 },
  },
  瓦特尔百货: {
    // A suburb is one that the postcode has.
    ...{ brand: 57, store: 91, street: 96, unit: 89 },
    ...{ carrier: 60, service: 60, code: 60, goods: 80 },
  },
}

test('each printed text is accepted with as many letters as fit, and refused with one more', {
  skip,
}, async () => {
  const whole: Texts[] = []
  for (const [unit, limits] of Object.entries(LIMITS)) {
    const found: Partial<Record<Name, number>> = {}
    for (const name of Object.keys(limits) as Name[]) {
      const { path, longest } = FIELDS[name]
      const text = unit.repeat(longest + 1)
      const most = first(text, longest).padEnd(longest, unit[0])
      const letters = (await refusedOf({ [name]: most })).get(name) ?? longest
      found[name] = letters
      const fitting = { [name]: first(text, letters) }
      assert.deepEqual([...(await refusedOf(fitting))], [], `${name}: ${letters}`)
      whole.push(fitting)
      const oneMore = first(text, letters + 1)
      const mistakes = await mistakesOfAccount(documentWith({ [name]: oneMore }))
      const told = mistakes.map((mistake) => `${pathText(mistake.path)} ${mistake.kind}`)
      assert.deepEqual(told, [`${pathText(path)} too_long`])
    }
    assert.deepEqual(found, limits)
  }
  await assertWhole(whole)
})

test('all texts that are too long are named at once, beside other mistakes, and each only once', async () => {
  const wide = (letters: number) => 'WOOLLOOMOOLOO '.repeat(20).slice(0, letters).trim()
  const document = documentWith({
    brand: wide(200),
    suburb: wide(200),
    goods: wide(200),
    service: '😀'.repeat(30),
    code: '😀'.repeat(30),
    carrier: 'C'.repeat(61),
  }) as { mode: string; stores: { reference: string; name?: string; address: { address: string } }[] }
  document.mode = 'liv'
  const { name: _, ...unnamed } = document.stores[0]!
  const address = { ...unnamed.address, address: 'W'.repeat(98) }
  document.stores[0] = { ...unnamed, reference: 'W'.repeat(100), address }
  const mistakes = await mistakesOfAccount(document)
  const told = mistakes.map(issueOf).map(({ field, issue, message }) => `${field} ${issue}: ${message}`)
  assert.deepEqual(
    told.map((line) => line.replace(/\d+ letters/, '… letters')).slice(2),
    [
      ['brands[0].name', 'Shorten it.'],
      ['stores[0].reference', 'Shorten it, or give the store a name, which is printed instead.'],
      ['stores[1].address.city', 'Shorten it.'],
      ['carriers[0].services[0].service', 'Shorten it.'],
      ['carriers[0].services[0].carrier_code', 'Shorten it.'],
      ['dangerous_goods_definitions[1].technical_name', 'Shorten it.'],
    ].map(
      ([field, remedy]) =>
        `${field} too_long: Is too long to print on a label; at most about … letters like these fit. ${remedy}`,
    ),
  )
  assert.deepEqual(
    mistakes.slice(0, 2).map(({ path, kind }) => `${pathText(path)} ${kind}`),
    ['mode invalid_value', 'carriers[0].name too_long'],
  )
})

test('no more mistakes are measured than one answer has', async () => {
  const document = documentWith({}) as { stores: { reference: string; address: object }[] }
  const address = { ...document.stores[1]!.address, address2: 'W'.repeat(200) }
  document.stores = Array.from({ length: 300 }, (_, index) => ({
    ...{ ...document.stores[1]!, staff_couriers: [] },
    reference: `store-${index}`,
    address,
  }))
  assert.equal((await mistakesOfAccount(document)).length, MOST_ISSUES)
})

/** Words of letters of any width and script, which fill a line badly or well. */
const text = (longest: number) =>
  fc
    .tuple(
      fc.array(
        fc.tuple(
          fc.constantFrom('W', 'il', 'Wattle', '瓦特', 'Ж', 'محمد', 'ที่', '😀', 'Ễ'),
          fc.integer({ min: 1, max: 24 }),
        ),
        { minLength: 1, maxLength: 40 },
      ),
      fc.oneof(fc.constant(longest), fc.integer({ min: 1, max: longest }), fc.integer({ min: 1, max: 30 })),
    )
    .map(([words, length]) => {
      const joined = words.map(([letters, count]) => letters.repeat(count)).join(' ')
      return joined
        .slice(0, length)
        .replace(/[\ud800-\udbff]$/, '')
        .trim()
    })
const anyTexts = fc
  .tuple(
    fc.record(
      Object.fromEntries(NAMES.map((name) => [name, text(FIELDS[name].longest)])) as Record<
        Name,
        fc.Arbitrary<string>
      >,
    ),
    fc.subarray(NAMES, { minLength: 1 }),
  )
  .map(([texts, chosen]): Texts => {
    // A short suburb of random letters is one far away.
    const all = { ...texts, suburb: `WWWWWW ${texts.suburb}`.slice(0, 200) }
    return Object.fromEntries(chosen.map((name) => [name, all[name]]))
  })

test('texts of any length and script are printed whole with every delivery, or refused with the length that is', {
  skip,
}, async () => {
  const accepted: Texts[] = []
  let refusals = 0
  for (const texts of fc.sample(anyTexts, { numRuns: 20, seed: 32 })) {
    let shorter = texts
    for (let turn = 0; ; turn += 1) {
      const refused = await refusedOf(shorter)
      if (refused.size === 0) break
      if (turn === 0) refusals += 1
      assert.ok(turn < 3, JSON.stringify({ shorter, refused: [...refused] }))
      shorter = { ...shorter }
      for (const [name, letters] of refused) shorter[name] = first(shorter[name]!, letters)
    }
    accepted.push(shorter)
  }
  assert.ok(refusals > 3 && refusals < 18, `${refusals} of ${accepted.length} are refused`)
  await assertWhole(accepted)
})

test('Latin texts that are short enough not to be laid out fit, however badly they fill their lines', {
  skip,
}, async () => {
  const badly = (longest: number) =>
    fc
      .integer({ min: 8, max: 24 })
      .map((word) => `${'W'.repeat(word)} `.repeat(longest).slice(0, longest).trim())
  const share = fc.integer({ min: 1, max: 25 })
  const texts = fc.tuple(badly(30), badly(60), badly(60), badly(60), badly(50), share, share).map(
    ([brand, ofStore, carrier, ofService, goods, one, other]): Texts => ({
      ...{ brand, carrier, goods },
      store: ofStore.slice(0, one).trim(),
      street: ofStore.slice(one, one + other).trim() || 'W',
      suburb: ofStore.slice(one + other).trim() || 'W',
      service: ofService.slice(0, one).trim(),
      code: ofService.slice(one).trim(),
    }),
  )
  const all = fc.sample(texts, { numRuns: 10, seed: 32 })
  for (const one of all) assert.deepEqual([...(await refusedOf(one))], [], JSON.stringify(one))
  await assertWhole(all)
})

test('the longest brand and store are whole on the A4 papers, too', { skip }, async () => {
  for (const unit of ['WOOLLOOMOOLOO ', '瓦特尔百货']) {
    const texts = { brand: unit.repeat(20).slice(0, 200), store: unit.repeat(20).slice(0, 200) }
    for (const name of ['brand', 'store'] as const)
      texts[name] = first(texts[name], (await refusedOf(texts)).get(name) ?? 200)
    assert.deepEqual([...(await refusedOf(texts))], [])
    const names = `${texts.brand}, ${texts.store}`
    const store = { ...SUMMARY.store, name: texts.store }
    const consignor = { ...DECLARATION.consignor, name: texts.store, company: texts.brand }
    const from = { ...NOTE.from, name: names }
    const papers = [
      // From, and the foot of the page.
      { pdf: await proofPdf({ ...PROOF, reference: 'R'.repeat(100), store: names }), shown: names + names },
      { pdf: await orderSummaryPdf({ ...SUMMARY, store }), shown: texts.store },
      { pdf: await dangerousGoodsDeclarationPdf({ ...DECLARATION, consignor }), shown: names },
      { pdf: await consignmentNotePdf({ ...NOTE, from }), shown: names },
    ]
    for (const { pdf, shown } of papers) {
      const page = textOf(pdf, { layout: false }).join('')
      const letters = lettersOf(page)
      for (const [letter, count] of lettersOf(shown))
        assert.ok((letters.get(letter) ?? 0) >= count, `${letter} of ${shown} in ${page}`)
      assert.ok(!page.includes('…'), page)
    }
  }
})

test('a store that was applied before the rule still takes deliveries, and only theirs are refused', async () => {
  const tooLong: Texts = {
    brand: 'W'.repeat(200),
    store: 'W'.repeat(200),
    street: 'W'.repeat(200),
    goods: 'W'.repeat(200),
  }
  const street = 'Shop 1042, Level 1, Westfield Doncaster Shopping Centre, 619 Doncaster Road'
  for (const mode of DELIVERY_MODES) {
    const { account, resolved } = resolvedOf(tooLong, { ...SHORT, street }, mode)
    await refuseCutLabel(account, 'WC-10471', resolved)
    const noted = resolvedOf(tooLong, { ...SHORT, note: 'W'.repeat(1_000) }, mode).resolved
    await assert.rejects(refuseCutLabel(account, 'WC-10471', noted), (error: Refusal) => {
      assert.ok(error instanceof Refusal)
      assert.deepEqual(
        error.issues.map(({ field }) => field),
        ['special_instructions', 'pickup_instructions'],
      )
      return true
    })
  }
})

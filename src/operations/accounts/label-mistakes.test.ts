import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exampleDocument } from '../../../test/demo-account.ts'
import {
  assertWhole,
  documentWith,
  FIELDS,
  lettersOf,
  NAMES,
  type Name,
  resolvedOf,
  SHORT,
  type Texts,
} from '../../../test/documents/account-texts.ts'
import { DECLARATION, NOTE, PROOF, SUMMARY } from '../../../test/documents/paper-examples.ts'
import { textOf } from '../../../test/documents/printed.ts'
import { without } from '../../../test/tools.ts'
import { consignmentNotePdf } from '../../documents/consignment-note.ts'
import { dangerousGoodsDeclarationPdf } from '../../documents/dangerous-goods-declaration.ts'
import { orderSummaryPdf } from '../../documents/order-summary.ts'
import { proofPdf } from '../../documents/proof-of-delivery.ts'
import { pathText, toIssue } from '../../domain/account/validation/mistake.ts'
import { MAX_ISSUES, Refusal } from '../../domain/errors.ts'
import { DELIVERY_MODES } from '../../domain/values.ts'
import { refuseCutLabel } from '../paperwork/label-issues.ts'
import { listAccountMistakes } from './apply-account.ts'

const skip = without('pdftotext')

/** For each text that is too long, how many of its letters fit. */
async function refusedOf(texts: Texts): Promise<Map<Name, number>> {
  const mistakes = await listAccountMistakes(documentWith(texts))
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

test('the examples have names and addresses that a label prints whole', async () => {
  for (const name of ['demo-account', 'acme-byoc'] as const)
    assert.deepEqual(await listAccountMistakes(exampleDocument(name)), [], name)
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

test('each printed text is accepted with as many letters as fit, and rejected with one more', {
  skip,
}, async () => {
  const whole: Texts[] = []
  for (const [unit, limits] of Object.entries(LIMITS)) {
    const found: Partial<Record<Name, number>> = {}
    for (const name of Object.keys(limits) as Name[]) {
      const { path, longest } = FIELDS[name]
      const text = unit.repeat(longest + 1)
      const max = first(text, longest).padEnd(longest, unit[0])
      const letters = (await refusedOf({ [name]: max })).get(name) ?? longest
      found[name] = letters
      const fitting = { [name]: first(text, letters) }
      assert.deepEqual([...(await refusedOf(fitting))], [], `${name}: ${letters}`)
      whole.push(fitting)
      const oneMore = first(text, letters + 1)
      const mistakes = await listAccountMistakes(documentWith({ [name]: oneMore }))
      const mistakeTexts = mistakes.map((mistake) => `${pathText(mistake.path)} ${mistake.kind}`)
      assert.deepEqual(mistakeTexts, [`${pathText(path)} too_long`])
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
  const mistakes = await listAccountMistakes(document)
  const messages = mistakes.map(toIssue).map(({ field, issue, message }) => `${field} ${issue}: ${message}`)
  assert.deepEqual(
    messages.map((line) => line.replace(/\d+ letters/, '… letters')).slice(2),
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

test('measuring stops at as many mistakes as one response has', async () => {
  const document = documentWith({}) as { stores: { reference: string; address: object }[] }
  const address = { ...document.stores[1]!.address, address2: 'W'.repeat(200) }
  document.stores = Array.from({ length: 300 }, (_, index) => ({
    ...{ ...document.stores[1]!, staff_couriers: [] },
    reference: `store-${index}`,
    address,
  }))
  assert.equal((await listAccountMistakes(document)).length, MAX_ISSUES)
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

test('texts of any length and script are either printed whole on every label or rejected with the length that fits', {
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

test('Latin texts that are accepted without a trial layout always fit, however badly their lines break', {
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
      {
        pdf: await proofPdf({ ...PROOF, reference: 'R'.repeat(100), store: names, from: names }),
        shown: names + names,
      },
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

test('a store that was applied before the rule still gets deliveries; only a delivery’s own texts are rejected', async () => {
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

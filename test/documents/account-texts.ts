import assert from 'node:assert/strict'
import { ALWAYS_FIT } from '../../src/documents/label/always-fit.ts'
import { isCut, labelMarks } from '../../src/documents/label/layout.ts'
import { type Label, labelPdf, labelZpl } from '../../src/documents/label.ts'
import { loadShaperFor } from '../../src/documents/script/load-shaper-for.ts'
import type { Path } from '../../src/domain/account/document/schema-at.ts'
import { resolveDelivery } from '../../src/domain/quoting/resolve/resolve-delivery.ts'
import { DELIVERY_MODES, type DeliveryMode } from '../../src/domain/values.ts'
import { toLabel } from '../../src/operations/paperwork/delivery-label.ts'
import { compiledAccount, exampleDocument } from '../demo-account.ts'
import { TUESDAY_TEN } from '../jobs.ts'
import { defined, deliveryRequest, requestParcel } from '../requests.ts'
import { textOf } from './printed.ts'

/** Each text of an account that labels print, and the greatest length that the schema accepts. */
export const FIELDS = {
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
export type Name = keyof typeof FIELDS
export type Texts = Partial<Record<Name, string>>
export const NAMES = Object.keys(FIELDS) as Name[]

/** The demo account with these texts. */
export function documentWith(texts: Texts): unknown {
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

/** The delivery with the widest texts that are accepted without a trial layout, and one with short texts. */
const WIDE = {
  text: 'W'.repeat(ALWAYS_FIT.text),
  street: 'W'.repeat(ALWAYS_FIT.text),
  note: 'W'.repeat(ALWAYS_FIT.note),
  code: 'W'.repeat(ALWAYS_FIT.code),
}
export const SHORT = { text: 'Ada', street: '12 Swan St', note: 'Ring twice.', code: 'WC-10471' }

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

export function resolvedOf(texts: Texts, words: typeof WIDE, mode: DeliveryMode) {
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
  return toLabel(account, {
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

/**
 * Checks that every label of accounts with these texts is complete: the texts are read back from the PDF, and from
 * the ZPL if it has them as text.
 */
export async function assertWhole(all: readonly Texts[]): Promise<void> {
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
    // In ZPL, a line in another script is a graphic.
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

/** How often each letter is in a text, upper or lower case: the suburb of a recipient is in capitals. */
export function lettersOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const letter of text.normalize('NFKC').toUpperCase())
    if (/[\p{L}\p{N}]/u.test(letter)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return counts
}

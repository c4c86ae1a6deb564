import fc from 'fast-check'
import type { Label, Party } from '../../src/documents/label.ts'
import { DELIVERY_MODES, DELIVERY_TYPES } from '../../src/domain/values.ts'
import { ARTICLE, LABEL } from './label-examples.ts'

/** Hostile text: PDF and ZPL markup, direction overrides, control characters, emoji, and texts that are too long. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ maxLength: 12 }).map((part) => part.repeat(900)),
  fc.constantFrom(
    ') Tj /JS (app.alert(1)) /OpenAction << /S /URI /URI (http://evil.example) >>',
    'endstream endobj trailer << /Root 9 0 R >> %%EOF',
    '^XZ^XA^FDforged^FS~JR',
    '_5EXZ_7EJR\\&^FX',
    '\u202eetaerc\u2066\u200b\ufeff',
    '\u0000\u0007\u001b[31m\r\n\t\u2028',
    '李小龍 😀👨‍👩‍👧 ﷽ Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚a̗̐l̡g̢o',
    '\ud800',
    'W'.repeat(10_000),
    'ｆｕｌｌ Đặng Łukasz Ångström ﬁ ½',
    '',
  ),
)
const maybe = fc.option(text)

const party: fc.Arbitrary<Party> = fc.record({
  name: text,
  company: maybe,
  phone: maybe,
  lines: fc.array(text, { maxLength: 6 }),
  suburb: text,
  state: fc.constantFrom('VIC', 'NSW', 'NT'),
  postCode: fc.constantFrom('3065', '0800'),
  country: text,
})
const goods = fc.record({
  unNumber: text,
  properShippingName: text,
  classDivision: fc.constantFrom('3', '2.1', '1.4S', 'wholly unlike a class'),
  packingGroup: fc.option(fc.constantFrom('I', 'II', 'III')),
})
const article = fc.record({
  articleId: fc.constant(ARTICLE.articleId),
  number: fc.integer({ min: 1, max: 999 }),
  of: fc.integer({ min: 1, max: 999 }),
  parcelReference: text,
  description: maybe,
  weightKg: fc.double({ min: 0.001, max: 1000, noNaN: true }),
  lengthCm: fc.double({ min: 0.1, max: 1000, noNaN: true }),
  widthCm: fc.double({ min: 0.1, max: 1000, noNaN: true }),
  heightCm: fc.double({ min: 0.1, max: 1000, noNaN: true }),
  barcodes: fc.constant(ARTICLE.barcodes),
  dangerousGoods: fc.option(goods),
})

export const hostileLabel: fc.Arbitrary<Label> = fc.record({
  carrierName: text,
  serviceName: text,
  serviceCode: text,
  deliveryType: fc.constantFrom(...DELIVERY_TYPES),
  consignmentNumber: text,
  deliveryId: fc.constant(LABEL.deliveryId),
  reference: text,
  sandbox: fc.boolean(),
  mode: fc.constantFrom(...DELIVERY_MODES),
  from: party,
  to: party,
  authorityToLeave: fc.boolean(),
  authorityToLeaveRefusedBecause: maybe,
  signatureRequired: fc.boolean(),
  idCheckRequired: fc.boolean(),
  specialInstructions: maybe,
  pickupInstructions: maybe,
  despatchDate: fc.constant(LABEL.despatchDate),
  window: fc.constant(LABEL.window),
  articles: fc.tuple(article),
})

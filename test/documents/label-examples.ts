import { articleBarcodes } from '../../src/documents/barcode-content.ts'
import type { Label, LabelArticle } from '../../src/documents/label.ts'

/** One valid article and label, for tests to spread and change. */
export const ARTICLE: LabelArticle = {
  articleId: 'SPA0041830001',
  number: 1,
  of: 1,
  parcelReference: 'BOX-1',
  description: 'Sneakers',
  weightKg: 2.1,
  lengthCm: 30,
  widthCm: 20,
  heightCm: 15,
  barcodes: articleBarcodes({
    articleId: 'SPA0041830001',
    postCode: '3011',
    madeAtMs: Date.UTC(2026, 10, 23, 23, 42, 7),
  }),
  dangerousGoods: null,
}

export const LABEL: Label = {
  carrierName: 'Southern Parcels',
  serviceName: 'ROAD',
  serviceCode: 'SP-ROAD',
  deliveryType: 'standard',
  consignmentNumber: 'SP0041830',
  deliveryId: 'dlv_01JDEXAMPLE0000000000000A1',
  reference: 'WC-10473',
  sandbox: false,
  mode: 'store_to_door',
  from: {
    name: 'Wattle & Co Fitzroy',
    company: null,
    phone: '+61491570156',
    lines: ['250 Brunswick St'],
    suburb: 'Fitzroy',
    state: 'VIC',
    postCode: '3065',
    country: 'AU',
  },
  to: {
    name: 'Luca Marino',
    company: null,
    phone: '0491 570 157',
    lines: ['Unit 7, 88 Hyde Street'],
    suburb: 'Footscray',
    state: 'VIC',
    postCode: '3011',
    country: 'AU',
  },
  authorityToLeave: true,
  authorityToLeaveRefusedBecause: null,
  signatureRequired: false,
  idCheckRequired: false,
  specialInstructions: 'Leave at the side door behind the green bin.',
  pickupInstructions: null,
  despatchDate: '2026-11-24',
  window: {
    fromMs: Date.parse('2026-11-25T08:00:00+11:00'),
    toMs: Date.parse('2026-11-25T18:00:00+11:00'),
    zone: 'Australia/Melbourne',
    reader: 'Australia/Melbourne',
  },
  articles: [ARTICLE],
}

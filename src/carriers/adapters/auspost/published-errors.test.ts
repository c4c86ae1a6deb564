import assert from 'node:assert/strict'
import test from 'node:test'
import { consignment } from '../../../../test/sandbox-carriers.ts'
import type { Outcome } from '../../port/carrier.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { parseCreated, parseDeleted, parseListed, parseOrder, parseOrderOf, parseOwnOrder } from './parse.ts'

const ACCOUNT = 'later'
const ANOTHER_CARRIER = 'another_carrier'
const FINAL = 'nobody'

/**
 * Each error of the reference's tables (github righttang/auspost-shipping-and-tracking-api-sdk-nodejs, docs
 * 00 to 15) and the outcome of a booking: `retryLater` for account problems and temporary failures,
 * `another_carrier` for a product or a limit that other carriers may not have, `nobody` for a field of ours,
 * `unknown` for a system error, after which a shipment may exist.
 */
const PUBLISHED: readonly (readonly [code: string, name: string, taken: string])[] = [
  ['ESB-20010', 'System Error', 'unknown'],
  ['ESB-20050', 'System Error', 'unknown'],
  ['API_001', 'Unauthorised', ACCOUNT],
  ['41001', 'CUSTOMER_NOT_FOUND', ACCOUNT],
  ['41002', 'ACCOUNT_NOT_FOUND', ACCOUNT],
  ['41003', 'CONTRACT_NOT_VALID_ERROR', ACCOUNT],
  ['44017', 'SHIPMENT_IN_PROGRESS', ACCOUNT],
  ['41007', 'FROM_POSTCODE_DOES_NOT_MATCH_CONTRACT', ANOTHER_CARRIER],
  ['42001', 'NO_PRODUCTS_FOUND', ANOTHER_CARRIER],
  ['42002', 'NO_PRICES_FOR_PRODUCT', ANOTHER_CARRIER],
  ['42006', 'MAX_WIDTH', ANOTHER_CARRIER],
  ['42007', 'MAX_HEIGHT', ANOTHER_CARRIER],
  ['42008', 'MAX_LENGTH', ANOTHER_CARRIER],
  ['42009', 'MAX_VOLUME', ANOTHER_CARRIER],
  ['42010', 'MAX_WEIGHT', ANOTHER_CARRIER],
  ['42011', 'TWO_DIMENSIONS_LESS_THAN_5CM', ANOTHER_CARRIER],
  ['42012', 'PRODUCT_NOT_SUPPORTED_BY_CONTRACT_ERROR', ANOTHER_CARRIER],
  ['43003', 'UNABLE_TO_CALCULATE_PRICE', ANOTHER_CARRIER],
  ['43004', 'UNABLE_TO_CALCULATE_PRICE', ANOTHER_CARRIER],
  ['44003', 'DANGEROUS_GOODS_NOT_SUPPORTED_BY_PRODUCT_ERROR', ANOTHER_CARRIER],
  ['44043', 'ITEM_DIMENSION_WEIGHT_NOT_APPLICABLE', ANOTHER_CARRIER],
  ['46000', 'TRANSIT_WARRANTY_MAX_COVER_EXCEEDED', ANOTHER_CARRIER],
  ['46001', 'TRANSIT_WARRANTY_NOT_ENABLED', ANOTHER_CARRIER],
  ['66004', 'NO_CONTRACT_PRICING_AVAILABLE', ANOTHER_CARRIER],
  ['80002', 'INVALID_OPTION_COMBINATION', ANOTHER_CARRIER],
  ['40002', 'JSON_MANDATORY_FIELD_MISSING', FINAL],
  ['43009', 'MAX_LENGTH_CUSTOMER_REFERENCE_TEXT', FINAL],
  ['43011', 'MAX_LENGTH_DELIVERY_INSTRUCTION', FINAL],
  ['43017', 'ALL_OR_NONE_SHIPMENT_NO_ERROR', FINAL],
  ['44002', 'ALL_OR_NONE_AUSPOST_ID_ERROR', FINAL],
  ['44005', 'DUPLICATE_ARTICLE_ID_ERROR', FINAL],
  ['44010', 'MAX_LENGTH_MERCHANT_REFERENCE_TEXT', FINAL],
  ['44013', 'SHIPMENT_NOT_FOUND_ERROR', FINAL],
  ['44015', 'NO_SHIPMENT_TO_DISPATCH', FINAL],
  ['44016', 'SHIPMENT_INITIATED', FINAL],
  ['44023', 'NO_SHIPMENT_TO_DELETE', FINAL],
  ['44026', 'ORDER_NOT_FOUND', FINAL],
  ['44031', 'MAX_ITEM_COUNT_ERROR', FINAL],
  ['44033', 'NO_SHIPMENT_IN_REQUEST_ERROR', FINAL],
  ['44038', 'SHIPMENT_NOT_WITH_CONTRACT_ERROR', FINAL],
  ['44059', 'ORDER_CONTAINS_SHIPMENTS_MULTIPLE_AUSPOST_ACCOUNTS', FINAL],
  ['51008', 'CREATE_LABEL_ERROR_ZPL_LABELS_EXCEEDED', FINAL],
  ['51015', 'CREATE_LABEL_ERROR_DIFFERENT_PRINTING_SERVICE', FINAL],
  ['51020', 'LABEL_REQUEST_NOT_FOUND_ERROR', FINAL],
  ['51100', 'TRACKING_IDS_MISSING', FINAL],
  ['51101', 'TOO_MANY_AP_TRACKING_IDS', FINAL],
  ['51102', 'TOO_MANY_ST_TRACKING_IDS', FINAL],
  ['51103', 'TRACKING_IDS_MIX_OF_AP_AND_ST', FINAL],
  ['51104', 'INVALID_TRACKING_ID', FINAL],
  ['ESB-10001', 'Invalid Tracking ID', FINAL],
  ['ESB-10002', 'Product Not Trackable', FINAL],
]

function refused(status: number, ...errors: readonly object[]): CarrierResponse {
  return { kind: 'answered', status, body: { errors } }
}

function meaningOf(outcome: Outcome<unknown>): string {
  return outcome.kind === 'no' ? outcome.retry : outcome.kind
}

test('every documented error has the same meaning under any 4xx', () => {
  for (const [code, name, meaning] of PUBLISHED) {
    for (const status of [400, 404, 422]) {
      const outcome = parseCreated(refused(status, { code, name, message: 'Sorry.' }), consignment, 1)
      assert.equal(meaningOf(outcome), meaning, `${status} ${code} ${name}`)
    }
  }
})

test('a system error leaves a shipment, an order, a cancel and a search unknown', () => {
  const reads: readonly ((response: CarrierResponse) => Outcome<unknown>)[] = [
    (response) => parseCreated(response, consignment, 1),
    (response) => parseListed(response, consignment, 1),
    parseDeleted,
    parseOrder,
    parseOrderOf,
    (response) => parseOwnOrder(response, 'man_01'),
  ]
  const named = { code: 'ESB-20099', name: 'System Error', message: 'Contact support.' }
  const notFound = { code: '44013', message: 'Not found.' }
  for (const read of reads) {
    for (const status of [400, 404, 409, 422]) {
      assert.equal(read(refused(status, { code: 'ESB-20010', message: 'Sorry.' })).kind, 'unknown')
      assert.equal(read(refused(status, named)).kind, 'unknown')
      assert.equal(read(refused(status, notFound, named)).kind, 'unknown', 'beside another error')
    }
  }
})

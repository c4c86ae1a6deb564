/** One error of the API itself; the gateway in front of it and the platform behind it have other shapes. */
export type ApiError = {
  code: string
  name: string
  message: string
  field?: string
  context?: Readonly<Record<string, string>>
}

type ErrorText = { name: string; message: string }

/** Names are the reference's. Messages are its own where it shows them, otherwise ours, as listed in the readme. */
const ERRORS = {
  '400': { name: 'Bad Request', message: '' },
  '40002': {
    name: 'JSON_MANDATORY_FIELD_MISSING',
    message: 'The input request is missing a mandatory field. Please resubmit the request including it.',
  },
  '41001': {
    name: 'CUSTOMER_NOT_FOUND',
    message:
      'Customer information for the submitted customer identifier could not be found. For further assistance please contact your Account Manager or call Australia Post on 13 21 31.',
  },
  '41002': { name: 'ACCOUNT_NOT_FOUND', message: 'An account with the id cannot be found.' },
  '41003': { name: 'CONTRACT_NOT_VALID_ERROR', message: 'The contract has expired or is not yet valid.' },
  '41007': {
    name: 'FROM_POSTCODE_DOES_NOT_MATCH_CONTRACT',
    message: 'The from postcode does not match a postcode of the contract.',
  },
  '42001': { name: 'NO_PRODUCTS_FOUND', message: 'No products were found for the origin and destination.' },
  '42002': {
    name: 'NO_PRICES_FOR_PRODUCT',
    message: 'The product is not available for the submitted information.',
  },
  '42006': { name: 'MAX_WIDTH', message: 'The width of the item cannot exceed 105 cm.' },
  '42007': { name: 'MAX_HEIGHT', message: 'The height of the item cannot exceed 105 cm.' },
  '42008': { name: 'MAX_LENGTH', message: 'The length of the item cannot exceed 105 cm.' },
  '42009': { name: 'MAX_VOLUME', message: 'The volume of the item cannot exceed 0.25 cubic metres.' },
  '42010': {
    name: 'MAX_WEIGHT',
    message: 'The weight of the item cannot exceed the maximum of the product.',
  },
  '42011': { name: 'TWO_DIMENSIONS_LESS_THAN_5CM', message: 'At least two dimensions must be 5 cm.' },
  '42012': {
    name: 'PRODUCT_NOT_SUPPORTED_BY_CONTRACT_ERROR',
    message: 'The product is not available on the contract.',
  },
  '43003': { name: 'NO_PRICE_SCALE_FOUND_FOR_QUANTITY', message: '' },
  '43009': {
    name: 'MAX_LENGTH_CUSTOMER_REFERENCE_TEXT',
    message: 'The customer reference cannot exceed 50 characters.',
  },
  '43011': {
    name: 'MAX_LENGTH_DELIVERY_INSTRUCTION',
    message: 'The delivery instructions cannot exceed 128 characters.',
  },
  '43017': { name: 'ALL_OR_NONE_SHIPMENT_NO_ERROR', message: 'All or none of the items carry a barcode id.' },
  '44002': {
    name: 'ALL_OR_NONE_AUSPOST_ID_ERROR',
    message: 'All or none of the items carry tracking identifiers.',
  },
  '44003': { name: 'DANGEROUS_GOODS_NOT_SUPPORTED_BY_PRODUCT_ERROR', message: '' },
  '44005': { name: 'DUPLICATE_ARTICLE_ID_ERROR', message: 'The article id has been submitted before.' },
  '44010': {
    name: 'MAX_LENGTH_MERCHANT_REFERENCE_TEXT',
    message: 'The merchant reference cannot exceed 50 characters.',
  },
  '44013': { name: 'SHIPMENT_NOT_FOUND_ERROR', message: '' },
  '44015': { name: 'NO_SHIPMENT_TO_DISPATCH', message: 'The request contains no shipments.' },
  '44016': { name: 'SHIPMENT_INITIATED', message: '' },
  '44017': { name: 'SHIPMENT_IN_PROGRESS', message: 'The shipment is in an order that is being finalised.' },
  '44023': { name: 'NO_SHIPMENT_TO_DELETE', message: 'The request contains no shipments.' },
  '44026': { name: 'ORDER_NOT_FOUND', message: '' },
  '44031': { name: 'MAX_ITEM_COUNT_ERROR', message: '' },
  '44033': { name: 'NO_SHIPMENT_IN_REQUEST_ERROR', message: 'The request contains no shipments.' },
  '44038': {
    name: 'SHIPMENT_NOT_WITH_CONTRACT_ERROR',
    message: 'The shipment does not belong to the account.',
  },
  '44043': {
    name: 'ITEM_DIMENSION_WEIGHT_NOT_APPLICABLE',
    message: 'An item of a flat-rate product must not carry dimensions.',
  },
  '44044': {
    name: 'SHIPMENT_INCOMPLETE_TO_DISPATCH',
    message: 'The shipment has items without a label.',
  },
  '44059': {
    name: 'ORDER_CONTAINS_SHIPMENTS_MULTIPLE_AUSPOST_ACCOUNTS',
    message: 'The order contains shipments of several accounts.',
  },
  '46000': {
    name: 'TRANSIT_WARRANTY_MAX_COVER_EXCEEDED',
    message: 'The cover exceeds the contract’s maximum.',
  },
  '46001': { name: 'TRANSIT_WARRANTY_NOT_ENABLED', message: 'The contract has no transit cover.' },
  '51008': {
    name: 'CREATE_LABEL_ERROR_ZPL_LABELS_EXCEEDED',
    message: 'A request for ZPL labels cannot contain more than 50 parcels.',
  },
  '51015': {
    name: 'CREATE_LABEL_ERROR_DIFFERENT_PRINTING_SERVICE',
    message: 'The labels were made by another service, and only there they can be made again.',
  },
  '51020': { name: 'LABEL_REQUEST_NOT_FOUND_ERROR', message: 'The label request cannot be found.' },
  '51100': { name: 'TRACKING_IDS_MISSING', message: 'The request must contain tracking ids.' },
  '51101': {
    name: 'TOO_MANY_AP_TRACKING_IDS',
    message: 'The request must contain 10 or less AP article ids, consignment ids, or barcode ids.',
  },
  '51102': {
    name: 'TOO_MANY_ST_TRACKING_IDS',
    message: 'The request must contain 10 or less StarTrack consignment ids.',
  },
  '51103': {
    name: 'TRACKING_IDS_MIX_OF_AP_AND_ST',
    message: 'The request must not mix Australia Post and StarTrack ids.',
  },
  '80002': {
    name: 'INVALID_OPTION_COMBINATION',
    message: 'The delivery options of the item exclude each other.',
  },
} as const satisfies Record<string, ErrorText>

export type ErrorCode = keyof typeof ERRORS

type Particulars = { message?: string; field?: string; context?: Readonly<Record<string, string>> }

export function apiError(code: ErrorCode, { message, field, context }: Particulars = {}): ApiError {
  const text = ERRORS[code]
  return {
    code,
    name: text.name,
    message: message ?? text.message,
    ...(field === undefined ? {} : { field }),
    ...(context === undefined ? {} : { context }),
  }
}

export function shipmentNotFound(shipmentId: string): ApiError {
  return apiError('44013', {
    message: `The shipment with shipment id ${shipmentId} you requested can not be found. Please check the shipment id requested and submit the request again.`,
    context: { shipment_id: shipmentId },
  })
}

export function shipmentInitiated(shipmentId: string): ApiError {
  return apiError('44016', {
    message: `The shipment with shipment id ${shipmentId} is already in an existing order.`,
    context: { shipment_id: shipmentId },
  })
}

export function orderNotFound(orderId: string): ApiError {
  return apiError('44026', {
    message: `An order with order id ${orderId} cannot be found. Please check that the identifier is correct and submit the request again.`,
  })
}

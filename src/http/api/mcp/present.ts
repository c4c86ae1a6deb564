/**
 * What an assistant may read of an answer. Two rules, each by the name of a field:
 *
 * - Text is data. A string that is neither a code nor ours is wrapped as `{ untrusted_text }`, so that a note such as
 *   "ignore your instructions" never looks like Drover's own words. A field that no table names is wrapped.
 * - Personal data of customers and drivers is `masked` unless the call asks for it; capabilities (links, PINs) likewise.
 *
 * The MCP specification (2026-07-28, "Security and Trust & Safety") and Simon Willison's "dual LLM" pattern ask for the
 * same separation.
 */
export type Presentation = {
  includePersonalData: boolean
  /** Fields besides `OURS` whose text comes from the account document or from Drover. */
  ours?: readonly string[]
  /** False for answers about stores and carriers: their addresses and names are the merchant's own. */
  hasCustomers: boolean
}

export const MASKED = 'masked'

export function present(answer: unknown, presentation: Presentation): unknown {
  return presentValue(answer, '', presentation)
}

function presentValue(value: unknown, name: string, presentation: Presentation): unknown {
  if (typeof value === 'string') return presentText(value, name, presentation)
  if (Array.isArray(value)) return value.map((one) => presentValue(one, name, presentation))
  if (value === null || typeof value !== 'object') return value
  return presentObject(value as Record<string, unknown>, presentation)
}

function presentObject(object: Record<string, unknown>, presentation: Presentation): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined || isHidden(name)) continue
    if (isMasked(name, value, object, presentation)) shown[name] = MASKED
    else if (isFree(name)) shown[name] = { untrusted_text: JSON.stringify(value) }
    else shown[name] = presentValue(value, name, presentation)
  }
  return shown
}

function presentText(text: string, name: string, { ours }: Presentation): unknown {
  return IS_PLAIN[formOfText(name, ours)](text) ? text : { untrusted_text: text }
}

/** How the text of a field is shown. `code` and `number`: plain if it looks like one, wrapped otherwise. */
export type FormOfText = 'plain' | 'code' | 'number' | 'wrapped'

export function formOfText(name: string, ours: readonly string[] = []): FormOfText {
  if (OURS.has(name) || ours.includes(name)) return 'plain'
  if (isCodeName(name)) return 'code'
  return NUMBERS.has(name) ? 'number' : 'wrapped'
}

export const IS_PLAIN: Readonly<Record<FormOfText, (text: string) => boolean>> = {
  plain: () => true,
  code: (text) => CODE.test(text),
  number: (text) => CODE.test(text) && /\d/.test(text),
  wrapped: () => false,
}

function isMasked(
  name: string,
  value: unknown,
  object: Readonly<Record<string, unknown>>,
  presentation: Presentation,
): boolean {
  const { includePersonalData } = presentation
  if (includePersonalData || value === null || !mayBeMasked(name, presentation)) return false
  const isPersonal = Object.hasOwn(PERSONAL_WHEN, name) ? PERSONAL_WHEN[name] : undefined
  if (isPersonal) return isPersonal(object)
  return !(name === 'address' && typeof value === 'object')
}

/** True if a call without personal data may show this field as `masked`. */
export function mayBeMasked(
  name: string,
  { hasCustomers, ours = [] }: Omit<Presentation, 'includePersonalData'>,
): boolean {
  return hasCustomers && !ours.includes(name) && (Object.hasOwn(PERSONAL_WHEN, name) || PERSONAL.has(name))
}

export function isHidden(name: string): boolean {
  return NEVER.has(name)
}

/** True if the field is free text as a whole: its names and its values. */
export function isFree(name: string): boolean {
  return FREE.has(name)
}

/** Hidden even with personal data: the PIN proves who the customer is, and the pickup page opens everything. */
const NEVER = new Set(['delivery_pin', 'pickup_url'])

const PERSONAL = new Set([
  // Of the customer and the address. `name` is also an item's, which is personal enough: it says what was bought.
  ...[
    'first_name',
    'last_name',
    'phone',
    'email',
    'address',
    'address2',
    'company_name',
    'name',
    'lat',
    'lng',
  ],
  ...[
    'special_instructions',
    'pickup_instructions',
    'metadata',
    'changes',
    'address_warning',
    'label_warnings',
  ],
  'driver_name',
  // A carrier's words may name the person who signed.
  'message',
  // Anyone with one of these links can read the customer's data.
  ...['tracking_url', 'label_url', 'proof_url', 'dangerous_goods_form_url', 'order_summary_url'],
])

type Fields = Readonly<Record<string, unknown>>

/** Sentences that Drover writes in some objects, and people in others: they may name the customer. */
const PERSONAL_WHEN: Readonly<Record<string, (object: Fields) => boolean>> = {
  // A carrier or driver writes who signed, and a clerk writes a reason. Exclusions have no source: Drover writes them.
  detail: ({ source, to }) => source !== undefined && (source !== 'worker' || to === 'cancelled'),
  // People write why a delivery was cancelled or an attempt failed, and drivers why they turned it down. Drover writes
  // every other reason.
  status_reason: ({ status, use_staff_couriers: isOwn }) =>
    isOwn === true || (status !== 'on_hold' && status !== 'requested'),
  // Of a pending cancellation. Why a carrier is switched off has nothing to do with a customer.
  reason: ({ purpose }) => purpose !== undefined,
}

/** Objects and lists whose names and values are free text. */
const FREE = new Set(['metadata', 'changes'])

/** Text from Drover and the account document. */
const OURS = new Set([
  'carrier',
  'carrier_name',
  'carrier_provider',
  'next_step',
  'kind',
  'tool',
  'not_checked',
])

/** Numbers that a merchant or a carrier chose: plain if they look like one, wrapped if they are words. */
const NUMBERS = new Set([
  ...['reference', 'consignment_number', 'other_consignment_number', 'article_id', 'article_ids', 'code'],
  'post_code',
])

const CODES = new Set([
  ...[
    'status',
    'sub_status',
    'delivery_type',
    'delivery_mode',
    'manifest_status',
    'manifest_group',
    'purpose',
  ],
  ...[
    'booking_attempt',
    'provider',
    'service',
    'service_code',
    'carrier_code',
    'type',
    'source',
    'from',
    'to',
  ],
  ...['currency', 'rule', 'address_kind', 'state', 'country', 'time_zone', 'account_mode', 'modes', 'format'],
  ...[
    'cancellation',
    'timeliness',
    'packing_group_designator',
    'week',
    'date',
    'now',
    'at',
    'next',
    'id',
    'brand',
  ],
])

function isCodeName(name: string): boolean {
  return CODES.has(name) || /_(?:at|datetime|since|until|id|ids|reference)$/.test(name)
}

/** One word of at most 64 characters. */
const CODE = /^[A-Za-z0-9._:/#+@-]{1,64}$/

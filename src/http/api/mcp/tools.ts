import { z } from 'zod'
import type { Scope } from '../../../operations/directory/caller.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { lineText, referenceText } from '../fields/text.ts'
import type { Detail } from './presented-schema.ts'

/**
 * A read-only tool over one endpoint of the API: its input is the endpoint's own path, query and body in one object, so
 * that names, rules and error words are those of the API.
 */
export type EndpointTool = ToolText & {
  operationId: string
  /** Fields of the endpoint that the tool does not offer. */
  omit?: readonly string[]
}

/** A tool that combines several reads. */
export type CombinedTool = ToolText & { scope: Scope; input: z.ZodObject; combine: Combination }
export type Combination = 'track_delivery' | 'day_of_store' | 'exceptions_today'

export type ToolText = {
  name: string
  title: string
  /** For the model that chooses a tool: what this one answers, and when another is better. */
  description: string
  /** False for answers about stores, carriers and totals, which name no customers. */
  hasCustomers: boolean
  /** Fields whose text the merchant wrote. */
  ours?: readonly string[]
  /** How much of the answer the tool's output schema describes, if not the fields of its entries. */
  answerDetail?: Partial<Detail>
  /** Requests that a call counts as, in addition to the HTTP request itself. */
  extraCost?: number
}

const PATH = {
  delivery_id_or_reference: referenceText().meta({
    description: 'Drover’s id (`dlv_…`), or the merchant’s reference.',
  }),
  store_id_or_reference: referenceText().meta({
    description: 'Drover’s id (`sto_…`), or the store’s reference.',
  }),
  manifest_id: referenceText().meta({ description: 'Drover’s id of the manifest (`man_…`).' }),
  provider: lineText(100).meta({ description: 'The carrier’s key: `provider` in `list_carriers`.' }),
}

const storeReference = referenceText().optional()
const NAMED = {
  delivery_id_or_reference: PATH.delivery_id_or_reference,
  store_reference: storeReference.meta({
    description: 'The store, if more than one store uses the reference.',
  }),
}

/** All fields of a store come from the account document. */
const STORE_FIELDS = [
  ...['name', 'reference', 'address', 'address2', 'city', 'phone', 'printer'],
  ...['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
]

/**
 * Only `get_delivery` describes every field of a delivery. The other tools describe the fields that a delivery always
 * has.
 */
export const BRIEF: Partial<Detail> = { isBrief: true }

/** Shows personal data for one call; all other limits of the token still apply. */
export const PERSONAL_DATA = {
  include_personal_data: z.boolean().optional().meta({
    description:
      'Shows customers’ names, phone numbers, addresses and notes, which are masked otherwise. Set it only if you cannot do the task without them; the audit log records it.',
  }),
}

export const ENDPOINT_TOOLS: readonly EndpointTool[] = [
  {
    name: 'quote_delivery',
    title: 'Quote a delivery',
    description:
      'The price and earliest window of each delivery type for an order that does not exist yet. Stores nothing. With `explain`, why each service was included or excluded.',
    operationId: 'quoteDelivery',
    omit: ['hold'],
    hasCustomers: false,
    answerDetail: { depth: 3 },
  },
  {
    name: 'check_availability',
    title: 'Check availability',
    description:
      'The earliest window of each delivery type from opening hours, holidays and cut-offs alone, without prices. Faster than `quote_delivery`.',
    operationId: 'checkAvailability',
    omit: ['hold'],
    hasCustomers: false,
  },
  {
    name: 'rank_stores',
    title: 'Rank stores for a destination',
    description: 'Which stores should fulfil an order, best first, by the brand’s strategy.',
    operationId: 'allocateStores',
    omit: ['use_async'],
    hasCustomers: false,
    extraCost: 4,
  },
  {
    name: 'find_deliveries',
    title: 'Find deliveries',
    description:
      'Deliveries by status, store, day, carrier, reference or search text, newest first. For today’s problems, use `exceptions_today`.',
    operationId: 'listDeliveries',
    hasCustomers: true,
    answerDetail: BRIEF,
  },
  {
    name: 'get_delivery',
    title: 'Get a delivery',
    description: 'One delivery with its status, window, carrier, price and parcels.',
    operationId: 'getDelivery',
    hasCustomers: true,
  },
  {
    name: 'explain_decision',
    title: 'Explain the choice of carrier',
    description:
      'Why a delivery went to its carrier: each service with its price or the rule that excluded it, and each booking attempt.',
    operationId: 'getDeliveryDecision',
    hasCustomers: true,
    ours: ['name'],
    answerDetail: { depth: 3 },
  },
  {
    name: 'compare_options',
    title: 'Compare the current options of a delivery',
    description:
      'What each service would cost now, and when it would deliver. With `exclude_current_carrier`, the options for a reassignment. Changes nothing.',
    operationId: 'getDeliveryOptions',
    hasCustomers: true,
    ours: ['name'],
    answerDetail: { depth: 3 },
  },
  {
    name: 'list_extra_bookings',
    title: 'List the extra bookings of a delivery',
    description:
      'Bookings that carriers still hold for a delivery besides the one in use. The delivery’s `attention` is about these.',
    operationId: 'listExtraBookings',
    hasCustomers: true,
  },
  {
    name: 'list_stores',
    title: 'List stores',
    description: 'The stores with today’s hours, their next closures and the cut-offs of their services.',
    operationId: 'listStores',
    hasCustomers: false,
    ours: STORE_FIELDS,
  },
  {
    name: 'list_carriers',
    title: 'List carriers',
    description: 'The carriers, and which of them are switched off or not answering.',
    operationId: 'listCarriers',
    hasCustomers: false,
    ours: ['name'],
  },
  {
    name: 'carrier_status',
    title: 'Get the status of a carrier',
    description:
      'Whether a carrier is switched on and answering, and which booked deliveries it has not collected.',
    operationId: 'getCarrier',
    hasCustomers: false,
    ours: ['name'],
  },
  {
    name: 'insights',
    title: 'Get the figures for a period',
    description:
      'Cost and timeliness by service, week and store, compared with the period before, and what exclusions cost.',
    operationId: 'getInsights',
    hasCustomers: false,
    ours: ['name'],
    answerDetail: { depth: 3 },
  },
  {
    name: 'list_delivery_costs',
    title: 'List what each delivery cost',
    description: 'The deliveries behind `insights`, oldest first, with quoted and charged prices.',
    operationId: 'listDeliveryCosts',
    hasCustomers: true,
  },
  {
    name: 'list_manifests',
    title: 'List manifests',
    description:
      'Manifests with their deliveries and status, newest first. Drafts have not been submitted yet.',
    operationId: 'listManifests',
    hasCustomers: true,
  },
]

export const COMBINED_TOOLS: readonly CombinedTool[] = [
  {
    name: 'track_delivery',
    title: 'Track a delivery',
    description: 'Where a delivery is: its status, its timeline and each update from the carrier.',
    scope: 'deliveries:read',
    input: z.strictObject({ ...NAMED, ...PERSONAL_DATA }),
    combine: 'track_delivery',
    hasCustomers: true,
    answerDetail: BRIEF,
    extraCost: 2,
  },
  {
    name: 'day_of_store',
    title: 'Get a store’s day',
    description:
      'A store’s hours today, the number of its deliveries today by status, and the next cut-offs of its carriers.',
    scope: 'deliveries:read',
    input: z.strictObject({ store_id_or_reference: PATH.store_id_or_reference }),
    combine: 'day_of_store',
    hasCustomers: false,
    ours: STORE_FIELDS,
    extraCost: 1,
  },
  {
    name: 'exceptions_today',
    title: 'List today’s exceptions',
    description:
      'What needs a person now, most urgent first: bookings without an answer, deliveries on hold or late, extra bookings, returns, cut-offs within the hour, and carriers that are off or not answering. Each entry names the next tool. Start here.',
    scope: 'deliveries:read',
    input: z.strictObject({
      store_reference: storeReference.meta({
        description: 'Only this store. Absent: every store that the token may see.',
      }),
    }),
    combine: 'exceptions_today',
    hasCustomers: true,
    extraCost: 4,
  },
]

/** The input of an endpoint's tool. */
export function toInput(
  tool: Pick<EndpointTool, 'omit' | 'hasCustomers'>,
  { url, query, body }: Endpoint,
): z.ZodObject {
  const omit = new Set(tool.omit)
  const params = [...url.matchAll(/:([a-z_]+)/g)].flatMap(([, name = '']) =>
    name in PATH ? [[name, PATH[name as keyof typeof PATH]] as const] : [],
  )
  const fields = [query, body as z.ZodObject | undefined].flatMap((schema) =>
    Object.entries(schema?.shape ?? {}),
  )
  return z.strictObject({
    ...Object.fromEntries([...params, ...fields.filter(([name]) => !omit.has(name))]),
    ...(tool.hasCustomers ? PERSONAL_DATA : {}),
  })
}

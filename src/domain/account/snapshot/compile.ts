import { zone } from '../../calendar/zone.ts'
import type { DeliveryType } from '../../values.ts'
import type {
  Account,
  BookingOrder,
  Brand,
  CarrierAccount,
  DangerousGoodsDefinition,
  OwnTexts,
  Store,
} from '../account.ts'
import type { AccountDocument } from '../document/document.ts'
import type { Steps } from '../document/parse-in-steps.ts'
import { compileCarrierInSteps, compileTiming } from './compile-carrier.ts'
import { storeCompiler } from './compile-store.ts'

export type AssignedIds = {
  /** Counts the applied documents from 1. */
  version: number
  /** Reference → id. */
  storeIds: ReadonlyMap<string, string>
  brandIds: ReadonlyMap<string, string>
}

/** Compiles a document in which `readAccount` found no mistakes. Throws when an id is missing. */
export function compileAccount(document: AccountDocument, ids: AssignedIds): Account {
  const steps = compileAccountInSteps(document, ids)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** The same in steps, so that a caller can do other work between two stores or carriers: 100,000 stores take two seconds. */
export function* compileAccountInSteps(document: AccountDocument, ids: AssignedIds): Steps<Account> {
  const modes = new Set(document.modes)
  const brands = document.brands.map(
    (brand): Brand => ({
      id: getId(ids.brandIds, brand.reference),
      reference: brand.reference,
      name: brand.name,
      colour: brand.colour ?? null,
      logo: brand.logo ?? null,
      allocationStrategy: brand.allocation_strategy,
      messageTexts: toOwnTexts(document.message_texts[brand.language]),
    }),
  )
  const compileStore = storeCompiler(document.brands, brands, modes)
  const stores: Store[] = []
  for (const store of document.stores) {
    stores.push(compileStore(store, getId(ids.storeIds, store.reference)))
    yield
  }
  const carriers: CarrierAccount[] = []
  for (const carrier of document.carriers) carriers.push(yield* compileCarrierInSteps(carrier, document.mode))
  return assemble(document, { version: ids.version, modes, brands, stores, carriers })
}

function assemble(
  document: AccountDocument,
  {
    version,
    modes,
    brands,
    stores,
    carriers,
  }: Pick<Account, 'version' | 'modes' | 'brands' | 'stores' | 'carriers'>,
): Account {
  const deliveryTypes = compileTypes(document.delivery_types)
  return {
    id: document.tenant_id,
    version,
    name: document.name,
    mode: document.mode,
    zone: zone(document.time_zone),
    ownCarriers: document.own_carriers,
    ownerGrants: document.owner_grants,
    clickAndDeliver: document.capabilities.click_and_deliver,
    modes,
    limits: {
      requestsPerSecond: document.limits.requests_per_second,
      burst: document.limits.burst,
    },
    booking: {
      leadMinutes: document.booking.lead_minutes,
      giveUpMinutes: document.booking.give_up_minutes,
      replanWhenOff: document.booking.replan_when_off,
      replanWhenDarkMinutes: document.booking.replan_when_dark_minutes,
      order: toBookingOrder(document.booking.order),
    },
    quotes: {
      carrierDeadlineMs: document.quotes.carrier_deadline_ms,
      holdMinutes: document.quotes.hold_minutes,
    },
    ownNetwork: { offerMinutes: document.own_network.offer_minutes },
    assistants: { spendingLimitCentsPerDay: document.assistants.spending_limit_cents_per_day },
    people: { secondFactor: document.people.second_factor },
    openIdConnect: toOpenIdConnect(document.sign_in.openid_connect),
    sms: { countries: new Set(document.sms.countries), perDay: document.sms.per_day },
    retention: {
      deliveryDays: document.retention.delivery_days,
      auditDays: document.retention.audit_days,
    },
    pricing: {
      markupPercent: document.pricing.markup_percent,
      fixedCents: document.pricing.fixed_cents,
    },
    usualBoxes: document.usual_boxes.map((box) => ({
      name: box.name,
      type: box.type,
      lengthCm: box.length_cm,
      widthCm: box.width_cm,
      heightCm: box.height_cm,
      weightKg: box.weight_kg ?? null,
    })),
    brands,
    stores,
    storeById: new Map(stores.map((store) => [store.id, store])),
    storeByReference: new Map(stores.map((store) => [store.reference, store])),
    deliveryTypes,
    carriers,
    carrierByProvider: new Map(carriers.map((carrier) => [carrier.provider, carrier])),
    services: carriers.flatMap((carrier) => carrier.services.filter(({ type }) => deliveryTypes.has(type))),
    dangerousGoods: new Map(
      document.dangerous_goods_definitions.map((goods) => [goods.name, toDefinition(goods)]),
    ),
  }
}

function toOpenIdConnect(provider: AccountDocument['sign_in']['openid_connect']): Account['openIdConnect'] {
  if (!provider) return null
  const { name, issuer, client_id: clientId, client_secret: secret } = provider
  return { name, issuer, clientId, clientSecret: secret?.secret ?? null }
}

function getId(ids: ReadonlyMap<string, string>, reference: string): string {
  const id = ids.get(reference)
  if (id === undefined) throw new Error(`"${reference}" has no ID.`)
  return id
}

function toOwnTexts(texts: AccountDocument['message_texts'][string] | undefined): OwnTexts {
  return { sms: texts?.sms ?? {}, email: texts?.email ?? {}, trackingPage: texts?.tracking_page ?? {} }
}

function compileTypes(types: AccountDocument['delivery_types']): Account['deliveryTypes'] {
  return new Map(
    Object.entries(types)
      .filter(([, type]) => type.enabled)
      .map(([name, type]) => [name as DeliveryType, compileTiming(type.timing)]),
  )
}

function toBookingOrder(order: AccountDocument['booking']['order']): BookingOrder {
  return typeof order === 'string' ? { by: order } : { by: 'preferred', providers: order.preferred }
}

function toDefinition(
  goods: AccountDocument['dangerous_goods_definitions'][number],
): DangerousGoodsDefinition {
  return {
    name: goods.name,
    unNumber: goods.un_number,
    technicalName: goods.technical_name,
    classDivision: goods.class_division,
    subsidiaryRisk: goods.subsidiary_risk ?? null,
    packingGroup: goods.packing_group ?? null,
    transportableByAir: goods.transportable_by_air,
    outerPackagingType: goods.outer_packaging_type,
    netWeightKg: goods.net_weight_kg ?? null,
    declaration: goods.declaration ?? null,
    particulars: {
      limitedQuantity: goods.limited_quantity,
      flashPointC: goods.flash_point_c ?? null,
      marinePollutant: goods.marine_pollutant,
      packingInstruction: goods.packing_instruction ?? null,
      emergencyPhone: goods.emergency_phone ?? null,
    },
  }
}

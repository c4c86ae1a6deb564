import fc from 'fast-check'
import { holidayRegions, listHolidays } from '../src/domain/calendar/holidays.ts'
import { ADDRESS_KINDS } from '../src/domain/geo/address-kind.ts'
import { getOurText, type TextPlace } from '../src/domain/messages/message-templates.ts'
import {
  DELIVERY_MODES,
  DELIVERY_TYPES,
  MESSAGE_TEXTS,
  OWNER_GRANTS,
  PACKING_GROUPS,
  PARCEL_TYPES,
  PRODUCT_TYPES,
  type State,
  TRACKING_TEXTS,
  ZONES,
} from '../src/domain/values.ts'
import { type Json, withValue } from '../web/portal/settings/edits.ts'

// Random account documents for the tests of the forms. Each field of the schema is there or absent, in any order, and
// is written in every way that the schema permits. A few are not valid: the tests leave those out.

type Values = Readonly<Record<string, fc.Arbitrary<unknown>>>

/** An object whose fields come in any order. Those of `may` can be absent. */
function object(must: Values, may: Values = {}): fc.Arbitrary<Json> {
  const record = fc.record({ ...must, ...may }, { requiredKeys: Object.keys(must) })
  return fc.tuple(record, fc.nat({ max: 40 })).map(([value, turn]) => {
    const entries = Object.entries(value)
    const at = turn % (entries.length || 1)
    return Object.fromEntries([...entries.slice(at), ...entries.slice(0, at)])
  })
}

const some = <T>(values: readonly T[]) => fc.shuffledSubarray([...values], { minLength: 1 })
const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values)
const whole = (min: number, max: number) => fc.integer({ min, max })
/** Numbers with decimals, such as 8.5 and 0.125. */
const decimal = (min: number, max: number) =>
  fc.tuple(whole(min, max - 1), oneOf([0, 0.5, 0.25, 0.125, 0.1])).map(([number, rest]) => number + rest)
const named = (names: readonly string[], make: (name: string) => fc.Arbitrary<unknown>, min = 0) =>
  fc
    .shuffledSubarray([...names], { minLength: min, maxLength: Math.min(names.length, 4) })
    .chain((chosen) => fc.tuple(...chosen.map(make)))

const flag = fc.boolean()
const minutes = whole(0, 600)
const cents = whole(0, 9_000)
const measure = decimal(1, 400)
const line = fc.oneof(
  oneOf(['Wattle & Co', 'Café “Zoë” – 日本', 'a', 'O’Brien <b>', '{{order}}', '42', 'true', 'null']),
  fc.stringMatching(/^[A-Z][a-z]{0,9}( [a-z0-9]{1,9}){0,3}$/),
)
const byZone = (amount: fc.Arbitrary<unknown>) =>
  object(Object.fromEntries(ZONES.map((zone) => [zone, amount])))
const oneOrByZone = (amount: fc.Arbitrary<unknown>) => fc.oneof(amount, byZone(amount))

// ------------------------------------------------------------------------------------------------ Stores

const SPELLINGS: Readonly<Record<State, readonly string[]>> = {
  NSW: ['NSW', 'New South Wales', 'nsw', 'AU-NSW'],
  VIC: ['VIC', 'Victoria', 'vic', 'AU-VIC'],
  QLD: ['QLD', 'Queensland', 'AU-QLD'],
  SA: ['SA', 'South Australia'],
  WA: ['WA', 'Western Australia', 'wa'],
  TAS: ['TAS', 'Tasmania', 'AU-TAS'],
  NT: ['NT', 'Northern Territory'],
  ACT: ['ACT', 'Australian Capital Territory'],
}
const state = oneOf(Object.values(SPELLINGS).flat())

type Town = readonly [city: string, state: State, code: string, zone: string, region: string | null]
const TOWNS: readonly Town[] = [
  ['Melbourne', 'VIC', '3000', 'Australia/Melbourne', null],
  ['Sydney', 'NSW', '2000', 'Australia/Sydney', null],
  ['Brisbane City', 'QLD', '4000', 'Australia/Brisbane', null],
  ['Adelaide', 'SA', '5000', 'Australia/Adelaide', null],
  ['Perth', 'WA', '6000', 'Australia/Perth', null],
  ['Hobart', 'TAS', '7000', 'Australia/Hobart', null],
  ['Canberra', 'ACT', '2601', 'Australia/Canberra', null],
  ['Darwin City', 'NT', '0800', 'Australia/Darwin', null],
]
const TOWN_OF_STORE: Readonly<Record<string, Town>> = Object.fromEntries(
  ['perth-cbd', 'Store 7', '0042', 'a.b/c', '__x', 'Head Office (old)', 'melbourne', 'z'].map(
    (reference, index) => [reference, TOWNS[index]!],
  ),
)

const range = fc
  .tuple(whole(5, 11), oneOf(['00', '15', '30']), whole(13, 23), oneOf(['00', '45']))
  .map(([open, a, close, b]) => `${String(open).padStart(2, '0')}:${a}-${close}:${b}`)
const hoursOfDay = fc.oneof(
  range,
  range.map((one) => [one]),
  oneOf([
    'closed',
    '00:00-24:00',
    ['09:00-12:00', '13:00-17:00'],
    // The schema permits any order.
    ['13:00-17:00', '09:00-12:00'],
    ['07:00-09:00', '10:00-11:00', '14:00-24:00'],
  ]),
)
/** Keys of a week that fit together: a single day overrides a range. */
const hours = oneOf([
  ['mon-sun'],
  ['mon-fri', 'sat', 'sun'],
  ['sat', 'mon-sat', 'sun'],
  ['sat-sun', 'mon-thu', 'fri'],
  ['thu', 'mon-fri', 'wed'],
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  ['tue-wed', 'fri-sat', 'sat'],
  ['sun'],
  [],
]).chain((keys) => object(Object.fromEntries(keys.map((key) => [key, hoursOfDay]))))

const closure = oneOf(['2026-12-24', '2027-01-02', '2028-02-29']).chain((from) =>
  object({ from: fc.constant(from) }, { to: oneOf([from, '2028-03-01']), reason: line }),
)
/** Two openings of a store share no day. */
const openings = named(['2026-12-12', '2026-12-14'], (from) =>
  object(
    {
      from: fc.constant(from),
      hours: fc.oneof(range, fc.constant(['09:00-12:00', '13:00-17:00'])),
    },
    { to: oneOf([from, from.replace(/2$/, '3').replace(/4$/, '6')]), reason: line },
  ),
)
const labels = object({}, { format: oneOf(['pdf', 'zpl']), printer: line })
const PHONES = ['+61355500101', '(03) 5550 0102', '0355500103', '+61 3 5550 0104']
const MOBILES = ['+61491570156', '0491 570 157', '0491570158', '+61 491 570 159']
const modes = some(DELIVERY_MODES)

const store = (reference: string, brands: readonly string[]) => {
  const [city, inState, code, zone] = TOWN_OF_STORE[reference]!
  const regions = holidayRegions(inState)
  const holidays = listHolidays(inState).flatMap(({ name, date }) => [name, date])
  const fields = object(
    {
      reference: fc.constant(reference),
      address: object(
        {
          address: line,
          city: fc.constant(city),
          state: oneOf(SPELLINGS[inState]),
          post_code: fc.constant(code),
        },
        { address2: line, country: fc.constant('AU') },
      ),
      hours,
    },
    {
      name: line,
      brand: oneOf(brands),
      phone: oneOf(PHONES),
      time_zone: fc.constant(zone),
      modes,
      closures: fc.array(closure, { maxLength: 3 }),
      openings,
      labels,
      open_on_holidays: fc.oneof(flag, fc.uniqueArray(oneOf(holidays), { maxLength: 5 })),
      buffer_minutes: minutes,
      processing_minutes: minutes,
      staff_couriers: named(MOBILES, (phone) =>
        object({ phone: fc.constant(phone), driver_name: line }, { driver_id: line }),
      ),
    },
  )
  const more = fc.oneof(
    fc.constant({}),
    object({ latitude: decimal(-38, -30), longitude: decimal(140, 150) }),
    object({ pickup_hours: hours }),
    object({ pickup_ends_before_closing_minutes: whole(0, 59) }),
    ...(regions.length > 0 ? [object({ holiday_region: oneOf(regions) })] : []),
  )
  return fc.tuple(fields, more).map(([known, others]) => ({ ...known, ...others }))
}

// ---------------------------------------------------------------------------------------------- Carriers

const time = oneOf(['00:00', '09:30', '12:05', '16:59'])
const timing = fc.oneof(
  object({
    on_day: object({
      cut_off: time,
      days: oneOrByZone(whole(0, 60)),
      from: time,
      to: oneOf(['17:00', '23:59']),
    }),
  }),
  object({
    after_pickup: object(
      { lead_minutes: minutes, window_minutes: whole(1, 600) },
      { minutes_per_km: decimal(0, 9), last_pickup: time, hours: range },
    ),
  }),
)
const price = object(
  { base_cents: oneOrByZone(cents) },
  {
    distance: object({ cents_per_km: decimal(0, 300) }, { included_km: decimal(0, 20) }),
    weight: object({ cents_per_kg: oneOrByZone(decimal(0, 300)) }, { included_kg: decimal(0, 20) }),
    cubic_kg_per_m3: fc.option(measure),
    fuel_percent: decimal(0, 30),
    residential_cents: cents,
    dangerous_goods_cents: cents,
  },
)
const rateCard = object(
  {
    zones: fc.constant({ Metro: ['3000-3207', '3220'], 'Far away': ['0800'] }),
    rates: fc.tuple(
      object({ zone: fc.constant('Metro'), up_to_kg: measure, cents }),
      object(
        { zone: fc.constant('Far away'), up_to_kg: measure, cents },
        { cents_per_extra_kg: decimal(0, 90) },
      ),
    ),
  },
  {
    cubic_kg_per_m3: fc.option(measure),
    surcharges: fc.array(
      fc.oneof(
        object(
          { name: line, cents: whole(1, 900) },
          { when: oneOf(['always', 'residential', 'dangerous_goods']), percent: decimal(0, 9) },
        ),
        object({ name: line, percent: whole(1, 90), over_kg: measure }),
        object({ name: line, percent: whole(1, 90), over_cm: measure }),
      ),
      { maxLength: 3 },
    ),
  },
)
const acceptedStates = fc.oneof(fc.constant('all'), fc.uniqueArray(state, { minLength: 1, maxLength: 4 }))
const limits = (stores: readonly string[]) =>
  object(
    {},
    {
      ...(stores.length > 0 && { stores: some(stores) }),
      radius_km: measure,
      states: fc.uniqueArray(state, { minLength: 1, maxLength: 4 }),
      max_parcel_kg: measure,
      max_total_kg: measure,
      max_side_cm: measure,
      max_parcel_m3: measure,
      max_parcels: whole(1, 99),
      parcel_types: some(PARCEL_TYPES),
      refused_parcel_types: fc.shuffledSubarray([...PARCEL_TYPES]),
      modes,
      address_kinds: some(ADDRESS_KINDS),
      business_only: flag,
      product_types: fc.oneof(
        fc.shuffledSubarray([...PRODUCT_TYPES]),
        object({}, Object.fromEntries(PRODUCT_TYPES.map((kind) => [kind, acceptedStates]))),
      ),
      max_declared_cents: cents,
      dangerous_goods: object(
        { classes: some(['3', '2.1', '1.4S', '9']) },
        { packing_groups: some(PACKING_GROUPS), by_air: flag },
      ),
    },
  )

/** How services are priced: by fields, by a price list, by the carrier alone, or by the carrier and fields. */
const PRICINGS = [
  { priced: { price } },
  { priced: { rate_card: rateCard } },
  { priced: {}, live_prices: true },
  { priced: { price }, live_prices: true },
  { priced: { price }, live_prices: false },
] as const

const carrier = (provider: string, stores: readonly string[], mode: string) =>
  oneOf(PRICINGS).chain(({ priced, ...live }) => {
    const service = (name: string) =>
      object(
        {
          service: fc.constant(name),
          carrier_code: fc.constant(`${provider} ${name}`),
          delivery_type: oneOf(DELIVERY_TYPES),
          timing,
          ...priced,
        },
        { manifest_group: line, limits: limits(stores) },
      )
    return object(
      {
        provider: fc.constant(provider),
        name: line,
        services: named(['NOW', 'Road Express', 'a', 'Überland', '7'], service, 1),
        ...Object.fromEntries(Object.entries(live).map(([name, value]) => [name, fc.constant(value)])),
      },
      {
        adapter: oneOf(['sandbox', 'auspost', 'mail_courier']),
        credentials: object(
          {},
          {
            api_key: fc.constant({ secret: 'swiftly-api-key' }),
            'User Name': fc.constant({ secret: 'u.1' }),
          },
        ),
        settings: fc.dictionary(
          fc.stringMatching(/^[a-z_]{1,12}$/),
          fc.jsonValue({ maxDepth: 2 }).map(toVisible),
          {
            maxKeys: 3,
          },
        ),
        environment: oneOf(mode === 'live' ? ['sandbox', 'production'] : ['sandbox']),
        base_url: oneOf(['https://gateway.example.com', 'http://127.0.0.1:4010']),
        dangerous_goods_manifested_apart: flag,
        limits: limits(stores),
      },
    )
  })

/** Texts with invisible characters are not valid. */
function toVisible(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/\\u[0-9a-f]{4}|[^ -~]/gi, 'x'))
}

// ---------------------------------------------------------------------------------------------- Messages

const PLACES: readonly TextPlace[] = [
  ...MESSAGE_TEXTS.flatMap((name): TextPlace[] => [
    { channel: 'sms', name, part: null },
    { channel: 'email', name, part: 'subject' },
    { channel: 'email', name, part: 'body' },
  ]),
  ...TRACKING_TEXTS.map((name): TextPlace => ({ channel: 'tracking_page', name, part: null })),
]
const textsOf = (places: fc.Arbitrary<readonly TextPlace[]>) =>
  fc.tuple(places, oneOf(['', 'Hi! ', 'Chào '])).map(([chosen, greeting]) =>
    chosen.reduce<unknown>((texts, place) => {
      const at = [place.channel, place.name, ...(place.part === null ? [] : [place.part])]
      return withValue(texts, at, greeting + getOurText(place))
    }, {}),
  )
const someTexts = textsOf(fc.subarray([...PLACES], { maxLength: 9 }))
/** A brand may use a language only if all of its texts are there. */
const allTexts = textsOf(fc.constant(PLACES))

// ----------------------------------------------------------------------------------------------- Account

const brand = (reference: string, languages: readonly string[]) =>
  object(
    { reference: fc.constant(reference), name: line },
    {
      colour: oneOf(['#17513f', '#FFC71F', '#ABCdef']),
      logo: oneOf(['data:image/png;base64,iVBORw0KGgo=', 'data:image/svg+xml;base64,PHN2Zy8+']),
      language: oneOf(languages),
      allocation_strategy: oneOf(['distance_only', 'time_and_distance', 'timeline_over_distance']),
      buffer_minutes: minutes,
      processing_minutes: minutes,
    },
  )
const goods = (name: string) =>
  object(
    {
      name: fc.constant(name),
      un_number: oneOf(['UN3481', 'UN1266']),
      technical_name: line,
      class_division: oneOf(['9', '2.1', '1.4S']),
    },
    {
      subsidiary_risk: oneOf(['6.1', '8']),
      packing_group: oneOf(PACKING_GROUPS),
      transportable_by_air: flag,
      outer_packaging_type: line,
      net_weight_kg: measure,
      declaration: line,
      limited_quantity: flag,
      flash_point_c: decimal(-100, 400),
      marine_pollutant: flag,
      packing_instruction: line,
      emergency_phone: oneOf(['1800 039 008', '+61 3 5550 0199']),
    },
  )
const box = (name: string) =>
  object(
    { name: fc.constant(name), length_cm: measure, width_cm: measure, height_cm: measure },
    { type: oneOf(PARCEL_TYPES), weight_kg: measure },
  )

type Names = { brands: string[]; stores: string[]; providers: string[]; mode: string; hasOther: boolean }

const names: fc.Arbitrary<Names> = fc.record({
  brands: some(['wattle-and-co', 'b_2', '7']),
  stores: fc.shuffledSubarray(Object.keys(TOWN_OF_STORE), { maxLength: 4 }),
  providers: fc.shuffledSubarray(['swiftly', 'big_haul', 'auspost', 'x9'], { maxLength: 3 }),
  mode: oneOf(['sandbox', 'live']),
  hasOther: flag,
})

const listOf = (keys: readonly string[], make: (key: string) => fc.Arbitrary<unknown>) =>
  fc.tuple(...keys.map(make))

/** Whole account documents. */
export const documents: fc.Arbitrary<Json> = names.chain(({ brands, stores, providers, mode, hasOther }) =>
  object(
    {
      tenant_id: oneOf(['demo', 'wattle-7']),
      name: line,
      mode: fc.constant(mode),
      time_zone: oneOf(['Australia/Melbourne', 'Australia/Perth', 'Australia/Lord_Howe']),
      brands: listOf(brands, (reference) => brand(reference, hasOther ? ['en', 'vi'] : ['en'])),
      stores: listOf(stores, (reference) => store(reference, brands)),
      delivery_types: object(
        {},
        Object.fromEntries(DELIVERY_TYPES.map((type) => [type, object({ timing }, { enabled: flag })])),
      ),
      ...(hasOther && { message_texts: object({ vi: allTexts }, { en: someTexts }) }),
      ...(providers.length > 0 && {
        carriers: listOf(providers, (provider) => carrier(provider, stores, mode)),
      }),
    },
    {
      $schema: fc.constant('./account.schema.json'),
      shared: fc.jsonValue({ maxDepth: 2 }).map(toVisible),
      currency: fc.constant('AUD'),
      own_carriers: flag,
      capabilities: object({}, { click_and_deliver: flag }),
      modes,
      owner_grants: fc.shuffledSubarray([...OWNER_GRANTS]),
      limits: object({}, { requests_per_second: whole(1, 900), burst: whole(1, 900) }),
      booking: object(
        {},
        {
          lead_minutes: minutes,
          give_up_minutes: minutes,
          replan_when_off: flag,
          replan_when_dark_minutes: fc.option(whole(0, 1_440)),
          order: fc.oneof(
            oneOf(['cheapest', 'fastest']),
            providers.length > 0 ? object({ preferred: some(providers) }) : fc.constant('cheapest'),
          ),
        },
      ),
      quotes: object({}, { carrier_deadline_ms: whole(100, 10_000), hold_minutes: whole(5, 240) }),
      own_network: object({}, { offer_minutes: minutes }),
      sign_in: object(
        {},
        {
          openid_connect: object(
            { name: line, issuer: oneOf(['https://login.example.com/x']), client_id: line },
            { client_secret: fc.constant({ secret: 'acme' }) },
          ),
        },
      ),
      assistants: object({}, { spending_limit_cents_per_day: fc.option(cents) }),
      people: object({}, { second_factor: oneOf(['optional', 'admins', 'everybody']) }),
      sms: object({}, { countries: oneOf([['AU'], ['NZ', 'AU']]), per_day: whole(1, 9_000) }),
      retention: object({}, { delivery_days: whole(30, 3_650), audit_days: whole(400, 3_650) }),
      pricing: object(
        {},
        {
          markup_percent: decimal(-100, 200),
          fixed_cents: object({}, Object.fromEntries(DELIVERY_TYPES.map((type) => [type, cents]))),
        },
      ),
      ...(!hasOther && { message_texts: object({}, { en: someTexts, de: someTexts }) }),
      dangerous_goods_definitions: named(['lithium', 'perfume_2', 'a'], goods),
      usual_boxes: named(['Shoe box', 'Wine (6)', '7'], box),
    },
  ).map((document) => JSON.parse(JSON.stringify(document))),
)

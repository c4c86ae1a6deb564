import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse } from 'yaml'
import { z } from 'zod'
import { STATE_PATTERN } from '../../geo/states.ts'
import type { Path } from '../document/schema-at.ts'
import { compileAccount, compileAccountInSteps } from '../snapshot/compile.ts'
import { accountWarnings } from './account-warnings.ts'
import { asWritten, pathText, toIssue } from './mistake.ts'
import { shapeMistakes } from './shape-mistakes.ts'
import { readAccount, readAccountInSteps, validateAccount } from './validate.ts'

const example = (name: string) =>
  parse(readFileSync(new URL(`../../../../examples/${name}`, import.meta.url), 'utf8'), { merge: true })
const demo = example('demo-account.yaml')
const SETTINGS = z.strictObject({ timeout_ms: z.int().min(100).default(6_000) })
const ADAPTERS = new Map(['swiftly', 'southern_parcels', 'big_haul'].map((name) => [name, SETTINGS]))

/** The demo account with one value changed; undefined removes it. */
function changed(path: readonly (string | number)[], value: unknown): unknown {
  const copy = structuredClone(demo)
  const holder = path.slice(0, -1).reduce((node, step) => node[step], copy)
  if (value === undefined) delete holder[path.at(-1)!]
  else holder[path.at(-1)!] = value
  return copy
}

const mistakesOf = (document: unknown) =>
  validateAccount(document, { adapters: ADAPTERS }).map(({ path, kind }) => `${pathText(path)} ${kind}`)

test('a new account may have no brand, store, delivery type and carrier yet', () => {
  const { tenant_id, name, mode, time_zone } = demo
  const empty = { tenant_id, name, mode, time_zone, brands: [], stores: [], delivery_types: {} }
  assert.deepEqual(mistakesOf(empty), [])
})

test('the examples have no mistakes', () => {
  for (const name of ['demo-account.yaml', 'acme-byoc.yaml'])
    assert.deepEqual(mistakesOf(example(name)), [], name)
})

test('a text with an invisible character is reported once, with its path', () => {
  const wordsOf = (path: (string | number)[], value: string) =>
    validateAccount(changed(path, value), { adapters: ADAPTERS }).map(
      (mistake) => `${pathText(mistake.path)}: ${mistake.wrong} → ${mistake.remedy}`,
    )
  const invisible = 'contains an invisible character, U+200B, at position 2 → Remove it.'
  assert.deepEqual(wordsOf(['name'], 'A\u200Bcme'), [`name: ${invisible}`])
  assert.deepEqual(wordsOf(['stores', 0, 'reference'], 'm\u200Belbourne').slice(-1), [
    `stores[0].reference: ${invisible}`,
  ])
  assert.deepEqual(wordsOf(['stores', 0, 'phone'], '\u202A+61 3 9000 0000'), [])
})

test('a state is read by its abbreviation, name or ISO 3166-2 code, and must agree with the postcode', () => {
  const PLACES = [
    ['stores', 0, 'address', 'state'],
    ['carriers', 0, 'services', 0, 'limits', 'states', 0],
    ['carriers', 0, 'services', 0, 'limits', 'product_types', 'alcohol', 0],
  ]
  const base = changed(['carriers', 0, 'services', 0, 'limits'], {
    states: ['VIC'],
    product_types: { alcohol: ['VIC'] },
  })
  const at = (document: unknown, path: (string | number)[]) =>
    path.reduce<unknown>((node, step) => (node as Record<string, unknown>)[String(step)], document)
  const written = (path: (string | number)[], value: unknown) => {
    const document = structuredClone(base)
    ;(at(document, path.slice(0, -1)) as Record<string, unknown>)[String(path.at(-1))] = value
    return document
  }
  const pattern = new RegExp(STATE_PATTERN)
  for (const path of PLACES) {
    for (const name of ['VIC', 'vic', 'Victoria', 'VICTORIA', 'AU-VIC', 'au-vic']) {
      const { document, mistakes } = readAccount(written(path, name))
      assert.deepEqual(mistakes, [], name)
      assert.equal(at(document, path), 'VIC')
      assert.match(name, pattern)
    }
    for (const [wrong, kind] of [
      ['Narnia', 'invalid_value'],
      ['AU-XX', 'invalid_value'],
      [3, 'invalid_type'],
    ] as const) {
      const [mistake] = readAccount(written(path, wrong)).mistakes
      assert.deepEqual([pathText(mistake?.path ?? []), mistake?.kind], [pathText(path), kind])
      assert.doesNotMatch(String(wrong), pattern)
    }
  }
  for (const name of ['New South Wales', 'nsw', 'AU-NSW']) {
    const [mistake] = readAccount(written(['stores', 0, 'address', 'state'], name)).mistakes
    assert.match(`${mistake?.wrong}`, /is in VIC, not in NSW/)
  }
})

test('one mistake is reported once, at its path', () => {
  const cases: [(string | number)[], unknown, string][] = [
    [['tenant_id'], undefined, 'tenant_id required'],
    [['tenant_id'], 'Demo!', 'tenant_id invalid_value'],
    [['tenantid'], 'demo', 'tenantid unknown_field'],
    [['currency'], 'USD', 'currency invalid_value'],
    [['time_zone'], 'Melbourne', 'time_zone invalid_value'],
    [['limits', 'burst'], 0, 'limits.burst out_of_range'],
    [['limits', 'burst'], '200', 'limits.burst invalid_type'],
    [['booking', 'order'], 'dearest', 'booking.order invalid_value'],
    [
      ['booking', 'order'],
      { preferred: ['swiftly', 'nobody'] },
      'booking.order.preferred[1] unknown_provider',
    ],
    [['carriers', 0, 'environment'], 'production', 'carriers[0].environment conflict'],
    [['carriers', 0, 'environment'], 'sandbox', ''],
    [['carriers', 0, 'base_url'], 'http://10.0.0.1', 'carriers[0].base_url invalid_value'],
    [['carriers', 0, 'base_url'], 'http://127.0.0.1:4010', ''],
    [['carriers', 0, 'base_url'], 'https://gateway.example.com', ''],
    [['carriers', 0, 'limits'], { stores: ['nowhere'] }, 'carriers[0].limits.stores[0] invalid_value'],
    [['carriers', 0, 'limits'], { stores: ['fitzroy'] }, ''],
    [['carriers', 0, 'services', 0, 'price'], undefined, 'carriers[0].services[0].price required'],
    [['brands'], [], 'brands too_short'],
    [['brands', 0, 'allocation_strategy'], 'nearest', 'brands[0].allocation_strategy invalid_value'],
    [['stores', 1, 'reference'], 'melbourne-cbd', 'stores[1].reference conflict'],
    [['stores', 1, 'reference'], 'sto_01', 'stores[1].reference invalid_value'],
    [['stores', 1, 'brand'], 'other', 'stores[1].brand invalid_value'],
    [['stores', 9, 'address', 'post_code'], 800, 'stores[9].address.post_code invalid_type'],
    [['stores', 9, 'address', 'state'], 'ZZ', 'stores[9].address.state invalid_value'],
    [['stores', 0, 'latitude'], 37.8, 'stores[0].latitude out_of_range'],
    [['stores', 6, 'time_zone'], 'Australia/Sydney', 'stores[6].time_zone conflict'],
    [['stores', 6, 'time_zone'], 'Australia/Eucla', ''],
    [['stores', 8, 'time_zone'], 'Australia/Canberra', ''],
    [['stores', 1, 'hours', 'sun'], '24:00-25:00', 'stores[1].hours.sun invalid_value'],
    [['stores', 1, 'hours', 'sun'], '18:00-24:00', ''],
    [['stores', 1, 'hours', 'sun'], ['09:00-12:00', '12:00-14:00'], ''],
    [['stores', 1, 'hours', 'sun'], ['09:00-12:00', '11:59-14:00'], 'stores[1].hours.sun invalid_value'],
    [['stores', 1, 'hours', 'funday'], 'closed', 'stores[1].hours.funday unknown_field'],
    [['stores', 1, 'hours', 'fri-sun'], 'closed', 'stores[1].hours.fri-sun invalid_value'],
    [['stores', 1, 'holiday_region'], 'nowhere', 'stores[1].holiday_region invalid_value'],
    [['stores', 1, 'open_on_holidays'], ['Melbourne Cup Day', '2026-12-25'], ''],
    [['stores', 1, 'open_on_holidays'], ['Adelaide Cup Day'], 'stores[1].open_on_holidays[0] invalid_value'],
    [['stores', 1, 'openings'], [{ from: '2026-12-13', hours: '10:00-16:00' }], ''],
    [['stores', 1, 'openings'], [{ from: '2026-12-13', hours: ['09:00-12:00', '13:00-17:00'] }], ''],
    [['stores', 1, 'openings'], [{ from: '2026-12-13' }], 'stores[1].openings[0].hours required'],
    [
      ['stores', 1, 'openings'],
      [{ from: '2026-12-13', hours: 'closed' }],
      'stores[1].openings[0].hours invalid_value',
    ],
    [
      ['stores', 1, 'openings'],
      [{ from: '2026-12-13', hours: ['09:00-12:00', '11:59-14:00'] }],
      'stores[1].openings[0].hours invalid_value',
    ],
    [
      ['stores', 1, 'openings'],
      [{ from: '2026-12-13', to: '2026-12-12', hours: '10:00-16:00' }],
      'stores[1].openings[0].to invalid_value',
    ],
    [
      ['stores', 1, 'openings'],
      [{ from: '', hours: '10:00-16:00' }],
      'stores[1].openings[0].from invalid_value',
    ],
    [['stores', 1, 'labels'], { format: 'zpl', printer: 'Zebra by the packing bench' }, ''],
    [['stores', 1, 'labels'], {}, ''],
    [['stores', 1, 'labels'], { format: 'png' }, 'stores[1].labels.format invalid_value'],
    [['stores', 1, 'labels'], { printer: '' }, 'stores[1].labels.printer too_short'],
    [['stores', 1, 'labels'], { address: '10.0.0.9' }, 'stores[1].labels.address unknown_field'],
    [['stores', 1, 'phone'], '555', 'stores[1].phone invalid_value'],
    [
      ['stores', 1, 'staff_couriers', 1, 'phone'],
      '+61491570156',
      'stores[1].staff_couriers[1].phone conflict',
    ],
    [
      ['stores', 0, 'pickup_hours'],
      { mon: '09:00-10:00' },
      'stores[0].pickup_ends_before_closing_minutes conflict',
    ],
    [
      ['stores', 0, 'pickup_ends_before_closing_minutes'],
      360,
      'stores[0].pickup_ends_before_closing_minutes out_of_range',
    ],
    [['delivery_types', 'overnight'], {}, 'delivery_types.overnight unknown_field'],
    [
      ['delivery_types', 'fast', 'timing', 'on_day'],
      demo.delivery_types.express.timing.on_day,
      'delivery_types.fast.timing invalid_value',
    ],
    [['carriers', 0, 'adapter'], 'nobody', 'carriers[0].adapter invalid_value'],
    [['carriers', 1, 'provider'], 'swiftly', 'carriers[1].provider conflict'],
    [['carriers', 0, 'services', 1, 'service'], 'NOW', 'carriers[0].services[1].service conflict'],
    [
      ['carriers', 0, 'services', 0, 'price', 'base_cents'],
      8.9,
      'carriers[0].services[0].price.base_cents invalid_type',
    ],
    [
      ['carriers', 0, 'services', 0, 'price', 'base_cents'],
      -1,
      'carriers[0].services[0].price.base_cents out_of_range',
    ],
    [
      ['carriers', 0, 'services', 0, 'price', 'base_cents'],
      undefined,
      'carriers[0].services[0].price.base_cents required',
    ],
    [['carriers', 0, 'services', 0, 'limits', 'product_types'], { alcohol: ['VIC'], high_value: 'all' }, ''],
    [
      ['dangerous_goods_definitions', 0, 'un_number'],
      'UN34',
      'dangerous_goods_definitions[0].un_number invalid_value',
    ],
  ]
  for (const [path, value, expected] of cases) {
    assert.deepEqual(
      mistakesOf(changed(path, value)),
      expected === '' ? [] : [expected],
      `${path.join('.')} = ${JSON.stringify(value)}`,
    )
  }
})

test('a day that is closed and has an extra opening is a mistake at the opening', () => {
  const mistakes = (closure: object, opening: object) => {
    const document = structuredClone(demo)
    document.stores[6].closures = [{ from: '2026-01-05' }, closure]
    document.stores[6].openings = [{ from: '2026-01-04', hours: '10:00-16:00' }, opening]
    return validateAccount(document).map((one) => toIssue(one))
  }
  const opening = { from: '2026-12-13', to: '2026-12-14', hours: '10:00-16:00' }
  for (const [closure, day] of [
    [{ from: '2026-12-13' }, '2026-12-13'],
    [{ from: '2026-12-14', to: '2026-12-20' }, '2026-12-14'],
    [{ from: '2026-12-01', to: '2026-12-31' }, '2026-12-13'],
    [{ from: '2026-12-15', to: '2026-12-31' }, null],
    [{ from: '2026-12-12' }, null],
  ] as const) {
    assert.deepEqual(
      mistakes(closure, opening),
      day === null
        ? []
        : [
            {
              field: 'stores[6].openings[1].from',
              issue: 'conflict',
              message: `A closure also covers ${day}. Remove the closure or the extra opening for that day.`,
            },
          ],
    )
  }
})

test('two extra openings of a store that share a day are a mistake at the one that starts later', () => {
  const mistakes = (...openings: object[]) => {
    const document = structuredClone(demo)
    document.stores[6].openings = openings.map((opening) => ({ hours: '10:00-16:00', ...opening }))
    return validateAccount(document).map((one) => toIssue(one))
  }
  const conflict = (index: number, dates: string, day: string) => ({
    field: `stores[6].openings[${index}].from`,
    issue: 'conflict',
    message: `Another extra opening${dates} already covers ${day}. Change the dates, or put the hours of both into one extra opening.`,
  })
  const weekend = { from: '2026-12-12', to: '2026-12-13' }
  const december = { from: '2026-12-01', to: '2026-12-31' }
  const ofWeekend = ' (2026-12-12 to 2026-12-13)'
  const ofDecember = ' (2026-12-01 to 2026-12-31)'
  for (const [openings, expected] of [
    [[weekend, { from: '2026-12-14' }], []],
    [[{ from: '2026-12-14' }, weekend, { from: '2026-12-11' }], []],
    [[weekend, { from: '2026-12-13' }], [conflict(1, ofWeekend, '2026-12-13')]],
    [[{ from: '2026-12-13' }, weekend], [conflict(0, ofWeekend, '2026-12-13')]],
    [[weekend, december], [conflict(0, ofDecember, '2026-12-12')]],
    [[{ from: '2026-12-13' }, { from: '2026-12-13' }], [conflict(1, '', '2026-12-13')]],
    [
      [december, weekend, { from: '2026-12-20' }],
      [conflict(1, ofDecember, '2026-12-12'), conflict(2, ofDecember, '2026-12-20')],
    ],
    // Its own mistake comes first.
    [[december, { from: '2026-13-01' }], null],
  ] as const) {
    const found = mistakes(...openings)
    if (expected) assert.deepEqual(found, expected)
    else assert.deepEqual([found.length, found[0]?.issue], [1, 'invalid_value'])
  }
  const other = structuredClone(demo)
  for (const index of [5, 6]) other.stores[index].openings = [{ ...weekend, hours: '10:00-16:00' }]
  assert.deepEqual(validateAccount(other), [])
})

test('a secret in place of its name is not repeated', () => {
  for (const value of ['sk_live_1', { secret: 'SK LIVE 1' }]) {
    const document = changed(['carriers', 0, 'credentials'], { api_key: value })
    const [mistake] = validateAccount(document)
    assert.doesNotMatch(JSON.stringify(mistake), /live/i)
  }
})

test('each mistake has a message and a remedy in sentences', () => {
  const [mistake] = validateAccount(changed(['stores', 9, 'address', 'post_code'], 800))
  assert.deepEqual(toIssue(mistake!), {
    field: 'stores[9].address.post_code',
    issue: 'invalid_type',
    message: 'Must be text, not 800. Write it in quotes: "0800".',
  })
})

test('any input gives a document or mistakes with remedies, never an exception', () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.record({
      stores: fc.jsonValue(),
      brands: fc.jsonValue(),
      carriers: fc.array(fc.jsonValue()),
      booking: fc.jsonValue(),
    }),
    fc
      .tuple(fc.constantFrom(...Object.keys(demo)), fc.jsonValue())
      .map(([name, value]) => ({ ...demo, [name]: value })),
    fc
      .tuple(fc.constantFrom(...Object.keys(demo.stores[0])), fc.jsonValue())
      .map(([name, value]) => ({ ...demo, stores: [{ ...demo.stores[0], [name]: value }] })),
    fc
      .tuple(fc.constantFrom(...Object.keys(demo.carriers[0].services[0])), fc.jsonValue())
      .map(([name, value]) => ({
        ...demo,
        carriers: [{ ...demo.carriers[0], services: [{ ...demo.carriers[0].services[0], [name]: value }] }],
      })),
  )
  fc.assert(
    fc.property(anything, (given) => {
      const { document, mistakes } = readAccount(given)
      assert.equal(document === null, mistakes.length > 0)
      for (const { wrong, remedy } of mistakes) assert.ok(wrong.length > 0 && remedy.length > 0)
    }),
    { numRuns: 500 },
  )
})

test('a remedy never changes an amount or drops the first digit of a postcode or phone', () => {
  const cases: [path: Path, value: unknown, written: string, remedy: string][] = [
    [['base_cents'], 8.9, '8.90', 'write 890 if you mean $8.90'],
    [['base_cents'], 0.45, '0.45', 'write 45 if you mean $0.45'],
    [['base_cents'], 9.5, '9.50', 'write 950 if you mean $9.50'],
    [['base_cents'], '$8.90', '', 'write 890 if you mean $8.90'],
    [['base_cents'], '1,450.00', '', 'write 145000 if you mean $1450.00'],
    [['base_cents'], '890', '', 'write it without quotes: 890'],
    [['base_cents'], 8.905, '8.905', 'write a whole number of cents'],
    [['minutes'], 1.5, '1.5', 'write a whole number, such as 1 or 2'],
    [['post_code'], 800, '0800', 'write it in quotes: "0800"'],
    [['post_code'], 800, '', 'write it in quotes: "0800"'],
    [['phone'], 491570156, '0491570156', 'write it in quotes: "0491570156"'],
    [['phone'], 491570156, '', 'write it in quotes: "0491570156"'],
    [['name'], 7, '07', 'write it in quotes: "07"'],
  ]
  const schema = z.object({
    base_cents: z.int(),
    minutes: z.int(),
    post_code: z.string(),
    phone: z.string(),
    name: z.string(),
  })
  const good = { base_cents: 1, minutes: 1, post_code: '3000', phone: '1', name: 'x' }
  for (const [path, value, written, remedy] of cases) {
    const document = { ...good, [String(path[0])]: value }
    const issues = schema.safeParse(document).error?.issues ?? []
    const [mistake] = shapeMistakes(schema, document, issues)
    assert.ok(mistake)
    const message = asWritten(mistake, written)
    assert.equal(message.remedy, remedy, `${path} ${JSON.stringify(value)}`)
    if (written !== '') assert.match(message.wrong, new RegExp(` ${written.replaceAll('.', '\\.')}$`))
  }
})

test('a store’s address is checked like a customer’s', () => {
  const cases: [change: Record<string, unknown>, field: string | null, message: RegExp][] = [
    [
      { city: 'Fitzroy', state: 'NSW', post_code: '3065' },
      'post_code',
      /3065 is in VIC, not in NSW: Fitzroy/,
    ],
    [{ city: 'Fitzroy', state: 'VIC', post_code: '9999' }, 'post_code', /9999 is not a postcode/],
    [{ city: 'Fitzroy', state: 'VIC', post_code: '3550' }, 'post_code', /Fitzroy is 3065 in VIC; 3550 is/],
    [{ city: 'Fitzroy', state: 'VIC', post_code: '3065' }, null, /^$/],
  ]
  for (const [change, field, message] of cases) {
    const [store] = structuredClone(demo.stores)
    const address = { ...store.address, ...change }
    const { latitude: _, longitude: __, time_zone: ___, ...rest } = store
    const mistakes = validateAccount({ ...demo, stores: [{ ...rest, address }] }).filter(({ path }) =>
      path.includes('address'),
    )
    assert.deepEqual(
      mistakes.map(({ path }) => path.at(-1)),
      field === null ? [] : [field],
    )
    assert.match(mistakes[0]?.wrong ?? '', message)
  }
})

test('a store without a position gets its suburb’s centre; a distant one gets a warning', () => {
  const [store] = structuredClone(demo.stores)
  const { latitude, longitude, ...rest } = store
  const warned = (changes: object) =>
    accountWarnings({ ...demo, stores: [{ ...rest, ...changes }] }).map(({ field }) => field)
  assert.deepEqual(warned({ latitude, longitude }), [])
  assert.deepEqual(warned({}), ['stores[0].latitude'])
  assert.deepEqual(warned({ latitude: -31.95, longitude: 115.86 }), ['stores[0].latitude'])
  assert.deepEqual(warned({ latitude, longitude, address: { ...store.address, city: 'Atlantis' } }), [
    'stores[0].address.city',
  ])
  const half = validateAccount({ ...demo, stores: [{ ...rest, latitude }] })
  assert.ok(half.some(({ path, kind }) => path.at(-1) === 'longitude' && kind === 'required'))
  const good = readAccount({ ...demo, stores: [rest] })
  const compiled =
    good.document &&
    compileAccount(good.document, {
      version: 1,
      storeIds: new Map([[store.reference, 'sto_1']]),
      brandIds: new Map(demo.brands.map(({ reference }: { reference: string }) => [reference, 'brd_1'])),
    })
  const at = [...(compiled?.stores.values() ?? [])][0]
  assert.ok(at && Math.abs(at.lat - latitude) < 0.2 && Math.abs(at.lng - longitude) < 0.2)
})

test('the longest document is checked and compiled in many steps, right or wrong', () => {
  const [carrier] = demo.carriers
  const [service] = carrier.services
  const longest = (rate: (step: number) => object) => ({
    ...demo,
    carriers: [0, 1, 2, 3].map((n) => ({
      ...carrier,
      provider: `swiftly_${n}`,
      adapter: 'swiftly',
      services: [
        {
          ...service,
          price: undefined,
          rate_card: {
            zones: { metro: ['3000-3207'] },
            rates: Array.from({ length: 20_000 }, (_, step) => rate(step)),
          },
        },
      ],
    })),
    stores: [
      ...demo.stores,
      ...Array.from({ length: 1_000 }, (_, n) => ({
        ...demo.stores[0],
        reference: `store-${n}`,
        staff_couriers: [],
      })),
    ],
  })
  const checked = (document: unknown) => {
    const steps = readAccountInSteps(document, { adapters: ADAPTERS })
    for (let count = 1; ; count++) {
      const { done, value } = steps.next()
      if (done) return { ...value, count }
    }
  }
  const right = checked(longest((step) => ({ zone: 'metro', up_to_kg: step + 1, cents: 900 })))
  assert.deepEqual(right.mistakes, [])
  assert.ok(right.count > 1_000, `${right.count} steps`)
  assert.ok(right.document)
  const references = (list: readonly { reference: string }[]) =>
    new Map(list.map(({ reference }) => [reference, reference]))
  const { stores, brands } = right.document
  let compiled = 0
  const ids = { version: 1, storeIds: references(stores), brandIds: references(brands) }
  for (const _ of compileAccountInSteps(right.document, ids)) compiled++
  assert.equal(compiled, stores.length + right.document.carriers.length)
  const wrong = checked(longest((step) => ({ zone: 'metro', up_to_kg: step + 1, cents: '9' })))
  assert.equal(wrong.mistakes.length, 80_000)
  assert.ok(wrong.count > 80_000, `${wrong.count} steps`)
})

test('thousands of unknown names are reported in short steps, the first hundred with a suggestion', () => {
  const store = demo.stores[0]
  const stores = Array.from({ length: 3_000 }, (_, n) => ({ ...store, reference: `melbourne-${n}` }))
  const unknown = Array.from({ length: 2_000 }, (_, n) => `melborne-${n}`)
  const document = structuredClone({ ...demo, stores })
  document.carriers[0].limits = { ...document.carriers[0].limits, stores: unknown }
  const steps = readAccountInSteps(document, { adapters: ADAPTERS })
  let [count, step] = [0, steps.next()]
  for (; !step.done; step = steps.next()) count += 1
  const found = step.value.mistakes.filter(({ wrong }) => wrong.includes('is not a store in this document'))
  assert.equal(found.length, 2_000)
  assert.equal(found.filter(({ remedy }) => remedy.startsWith('Did you mean "melbourne-')).length, 100)
  assert.match(found.at(-1)?.remedy ?? '', /^write one of the 3000 that exist, such as melbourne-/)
  assert.ok(count > 2_000, `${count} steps: other requests run between them`)
})

test('if an object has thousands of unknown fields, the first thousand are reported', () => {
  const extra = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`field_${n}`, 1]))
  const document = { ...demo, sms: { ...demo.sms, ...extra } }
  assert.equal(mistakesOf(document).filter((one) => /^sms\.field_/.test(one)).length, 1_000)
})

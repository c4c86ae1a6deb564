import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { differences } from '../../../src/domain/account/differences.ts'
import { AccountDocument } from '../../../src/domain/account/document/document.ts'
import { keysAt } from '../../../src/domain/account/document/schema-at.ts'
import {
  type HoursByKey,
  toHoursByDayAsWritten,
  toRangesAsWritten,
} from '../../../src/domain/account/hours-by-day.ts'
import { validateAccount } from '../../../src/domain/account/validation/validate.ts'
import { getOurText, type TextPlace } from '../../../src/domain/messages/message-templates.ts'
import { MESSAGE_TEXTS, PRODUCT_TYPES, TRACKING_TEXTS, WEEKDAYS, ZONES } from '../../../src/domain/values.ts'
import { documents } from '../../../test/random-account-documents.ts'
import { addEdit, type Edit, type Json, type Place, valueAt, withEdits } from './edits.ts'
import {
  type Closure,
  changeDay,
  changeDays,
  changeGoods,
  changeOpeningHours,
  changeText,
  hasOnePricePerKg,
  limitToStores,
  type Opening,
  toCents,
  toDollars,
  toTextPlace,
} from './form-edits.ts'
import { acceptedAt } from './goods/accepted-goods.ts'
import { PROVIDER } from './log-in/provider.ts'
import { numberField, type Settings, textField } from './settings.ts'
import { type LabelsJson, withLabels } from './stores/store-labels.ts'
import { isByZone, toEachZone, toOneNumber } from './zone-days.ts'

const valid = documents.filter((document) => validateAccount(document).length === 0)

/** A field of a form: what it does when a person enters again what it shows, and when they enter something else. */
type Field = { place: Place; again(settings: Settings): void; change(settings: Settings): void }
type Entry = Json & { reference: string; provider: string; service: string; name: string }

const typed = (value: string) => ({ currentTarget: { value } })

function text(place: Place, other = 'Something else'): Field {
  return {
    place,
    again: (settings) => textField(settings, place).onChange(typed(textField(settings, place).value)),
    change: (settings) => textField(settings, place).onChange(typed(other)),
  }
}

function number(place: Place): Field {
  return {
    place,
    again: (settings) => numberField(settings, place).onChange(typed(numberField(settings, place).value)),
    change: (settings) => numberField(settings, place).onChange(typed('41.5')),
  }
}

/** A choice that sets its value as it is: entered again, it sets what the document has. */
function choice(place: Place, other: unknown): Field {
  return {
    place,
    again: ({ document, set }) => set(place, valueAt(document, place)),
    change: ({ set }) => set(place, other),
  }
}

function dollars(place: Place): Field {
  return {
    place,
    again: ({ document, set }) => {
      const cents = valueAt(document, place)
      if (typeof cents === 'number') set(place, toCents(toDollars(cents)))
    },
    change: ({ set }) => set(place, toCents('7.77')),
  }
}

function week(place: Place): Field[] {
  return WEEKDAYS.map((day) => {
    const change = ({ document, inUse, set }: Settings, ranges: (shown: readonly string[]) => string[]) => {
      const hours = valueAt(document, place) as HoursByKey
      const shown = toHoursByDayAsWritten(hours)[day]
      set(place, changeDay(hours, valueAt(inUse, place) as HoursByKey, day, ranges(shown)))
    }
    return {
      place,
      again: (settings) => change(settings, (shown) => [...shown]),
      change: (settings) => change(settings, () => ['03:00-03:30']),
    }
  })
}

const listAt = (document: Json, place: Place) =>
  (valueAt(document, place) as readonly Entry[] | undefined) ?? []
const entries = (document: Json, place: Place, key: 'reference' | 'provider' | 'service' | 'name') =>
  listAt(document, place).map((entry) => ({ entry, at: [...place, { key, is: entry[key] }] as Place }))

function storeFields(document: Json): Field[] {
  return entries(document, ['stores'], 'reference').flatMap(({ entry, at }) => [
    ...['name', 'phone'].map((name) => text([...at, name])),
    ...['address', 'address2', 'city', 'post_code'].map((name) => text([...at, 'address', name])),
    choice([...at, 'address', 'state'], 'ACT'),
    choice([...at, 'brand'], 'other'),
    ...['processing_minutes', 'buffer_minutes'].map((name) => number([...at, name])),
    ...(entry.pickup_ends_before_closing_minutes === undefined
      ? []
      : [number([...at, 'pickup_ends_before_closing_minutes'])]),
    ...week([...at, 'hours']),
    ...(entry.pickup_hours ? week([...at, 'pickup_hours']) : []),
    choice([...at, 'open_on_holidays'], ['Good Friday', '2026-12-25']),
    ...listAt(document, [...at, 'closures']).flatMap((_, index) =>
      (['from', 'to', 'reason'] as const).map((key) => textOfDays([...at, 'closures'], index, key)),
    ),
    ...listAt(document, [...at, 'openings']).flatMap((_, index) => [
      ...(['from', 'to', 'reason'] as const).map((key) => textOfDays([...at, 'openings'], index, key)),
      openingHours([...at, 'openings'], index),
    ]),
    ...(['format', 'printer'] as const).map((key) => label([...at, 'labels'], key)),
  ])
}

function openingHours(place: Place, index: number): Field {
  const enter = ({ document, set }: Settings, ranges?: readonly string[]) => {
    const openings = valueAt(document, place) as readonly Opening[]
    set(place, changeOpeningHours(openings, index, ranges ?? toRangesAsWritten(openings[index]?.hours ?? [])))
  }
  return {
    place: [...place, String(index), 'hours'],
    again: enter,
    change: (settings) => enter(settings, ['01:00-02:00']),
  }
}

function label(place: Place, key: keyof LabelsJson): Field {
  const enter = ({ document, inUse, set }: Settings, value?: string) => {
    const labels = valueAt(document, place) as LabelsJson | undefined
    const shown = labels?.[key] ?? (key === 'format' ? 'pdf' : '')
    const before = valueAt(inUse, place) as LabelsJson | undefined
    set(place, withLabels(labels, { [key]: value ?? shown }, before))
  }
  return { place, again: enter, change: (settings) => enter(settings, 'other') }
}

function textOfDays(place: Place, index: number, key: keyof Closure): Field {
  const enter = ({ document, set }: Settings, value?: string) => {
    const days = valueAt(document, place) as readonly Closure[]
    set(place, changeDays(days, index, key, value ?? days[index]?.[key] ?? ''))
  }
  return {
    place: [...place, String(index), key],
    again: enter,
    change: (settings) => enter(settings, '2029'),
  }
}

function carrierFields(document: Json): Field[] {
  return entries(document, ['carriers'], 'provider').flatMap(({ entry: carrier, at }) => [
    text([...at, 'name']),
    choice([...at, 'live_prices'], 'other'),
    {
      place: [...at, 'limits', 'stores'],
      again: ({ set }) => {
        const edit = limitToStores(
          at,
          carrier.limits as Json,
          valueAt(carrier, ['limits', 'stores']) as string[],
        )
        // The choice of every store takes empty limits away, but only when it is made.
        if (valueAt(carrier, ['limits', 'stores']) !== undefined) set(edit.place, edit.value)
      },
      change: ({ set }) => {
        const edit = limitToStores(at, carrier.limits as Json, ['other'])
        set(edit.place, edit.value)
      },
    },
    ...entries(document, [...at, 'services'], 'service').flatMap(({ at: service }, index) =>
      serviceFields(document, {
        carrier: at,
        service,
        index,
        inherited: valueAt(carrier, ['limits', 'product_types']),
      }),
    ),
  ])
}

type ServicePlace = { carrier: Place; service: Place; index: number; inherited: unknown }

function serviceFields(document: Json, { carrier, service, index, inherited }: ServicePlace): Field[] {
  const named = ['service', 'carrier_code', 'delivery_type'].map((key): Field => {
    const place = [...carrier, 'services']
    const enter = ({ document: now, set }: Settings, value?: string) => {
      const services = listAt(now, place)
      const known = services[index] as Entry
      set(place, services.with(index, { ...known, [key]: value ?? known[key] }))
    }
    return { place: [...place, String(index), key], again: enter, change: (now) => enter(now, 'other') }
  })
  const goods = PRODUCT_TYPES.map((kind): Field => {
    const at = [...service, 'limits', 'product_types']
    return {
      place: at,
      again: (settings) => {
        const shown = acceptedAt(valueAt(settings.document, at) ?? inherited, kind)
        changeGoods(settings, { place: service, inherited }, kind, shown)
      },
      change: (settings) => changeGoods(settings, { place: service, inherited }, kind, ['TAS', 'AU-ACT']),
    }
  })
  if (valueAt(document, [...service, 'price']) === undefined) return [...named, ...goods]
  const price = [...service, 'price']
  const base = valueAt(document, [...price, 'base_cents'])
  return [
    ...named,
    ...goods,
    ...(isByZone(base)
      ? ZONES.map((zone) => dollars([...price, 'base_cents', zone]))
      : [dollars([...price, 'base_cents'])]),
    ...(hasOnePricePerKg([document, document], price) ? [dollars([...price, 'weight', 'cents_per_kg'])] : []),
    ...['residential_cents', 'dangerous_goods_cents'].map((name) => dollars([...price, name])),
    number([...price, 'fuel_percent']),
  ]
}

function deliveryTypeFields(document: Json): Field[] {
  return Object.keys(document.delivery_types as object).flatMap((type) => {
    const at = ['delivery_types', type]
    const onDay = [...at, 'timing', 'on_day']
    const after = [...at, 'timing', 'after_pickup']
    const days = valueAt(document, [...onDay, 'days'])
    return [
      choice([...at, 'enabled'], 'other'),
      ...(valueAt(document, onDay) === undefined
        ? []
        : [
            ...['cut_off', 'from', 'to'].map((name) => text([...onDay, name])),
            ...(isByZone(days)
              ? ZONES.map((zone) => number([...onDay, 'days', zone]))
              : [number([...onDay, 'days'])]),
            choice([...onDay, 'days'], isByZone(days) ? toOneNumber(days) : toEachZone(days)),
          ]),
      ...(valueAt(document, after) === undefined
        ? []
        : [
            ...['lead_minutes', 'window_minutes'].map((name) => number([...after, name])),
            text([...after, 'last_pickup']),
          ]),
    ]
  })
}

const TEXTS: readonly TextPlace[] = [
  ...MESSAGE_TEXTS.flatMap((name): TextPlace[] => [
    { channel: 'sms', name, part: null },
    { channel: 'email', name, part: 'subject' },
    { channel: 'email', name, part: 'body' },
  ]),
  ...TRACKING_TEXTS.map((name): TextPlace => ({ channel: 'tracking_page', name, part: null })),
]

function messageFields(document: Json): Field[] {
  const languages = new Set(['en', ...Object.keys((document.message_texts ?? {}) as object)])
  return [...languages].flatMap((language) =>
    TEXTS.map((one): Field => {
      const place = toTextPlace(language, one)
      return {
        place,
        again: (settings) => {
          const shown = valueAt(settings.document, place) ?? (language === 'en' ? getOurText(one) : undefined)
          // A text of another language is shown only if it is written.
          if (shown !== undefined) changeText(settings, language, one, shown as string)
        },
        change: (settings) => changeText(settings, language, one, 'Something else'),
      }
    }),
  )
}

/** The fields of all forms for this document. */
function listFields(document: Json): Field[] {
  return [
    ...storeFields(document),
    ...entries(document, ['brands'], 'reference').flatMap(({ at }) => [
      ...['name', 'colour'].map((name) => text([...at, name])),
      choice([...at, 'logo'], 'other'),
      ...['processing_minutes', 'buffer_minutes'].map((name) => number([...at, name])),
    ]),
    ...deliveryTypeFields(document),
    ...entries(document, ['usual_boxes'], 'name').flatMap(({ at }) => [
      choice([...at, 'type'], 'other'),
      ...['length_cm', 'width_cm', 'height_cm', 'weight_kg'].map((name) => number([...at, name])),
    ]),
    ...entries(document, ['dangerous_goods_definitions'], 'name').flatMap(({ at }) => [
      ...['un_number', 'class_division', 'technical_name'].map((name) => text([...at, name])),
      ...['packing_group', 'transportable_by_air'].map((name) => choice([...at, name], 'other')),
    ]),
    ...carrierFields(document),
    choice(['booking', 'order'], 'other'),
    choice(['capabilities', 'click_and_deliver'], 'other'),
    number(['booking', 'lead_minutes']),
    number(['booking', 'give_up_minutes']),
    number(['pricing', 'markup_percent']),
    number(['quotes', 'hold_minutes']),
    number(['retention', 'delivery_days']),
    number(['retention', 'audit_days']),
    ...['name', 'issuer', 'client_id'].map((name) => text([...PROVIDER, name])),
    choice([...PROVIDER, 'client_secret'], { secret: 'openid-client-secret' }),
    choice(PROVIDER, undefined),
    ...messageFields(document),
  ]
}

/** The edits that a person's entries leave, as the forms keep them. */
function enter(document: Json, work: (settings: Settings) => void): Edit[] {
  let edits: Edit[] = []
  work({
    inUse: document,
    version: 1,
    document,
    edits,
    set: (place, value) => {
      edits = addEdit(document, edits, { place, value })
    },
    may: () => true,
  })
  return edits
}

/** A place as names and positions. */
function toPath(document: Json, place: Place): string[] {
  const steps = place.map((step, index) => {
    if (typeof step === 'string') return step
    const position = listAt(document, place.slice(0, index)).findIndex(
      (one) => one[step.key as keyof Entry] === step.is,
    )
    return String(position)
  })
  return steps
}

/** Each value of the document by its path, in the document's order, apart from those inside or around `path`. */
function listOthers(value: unknown, path: readonly string[], at: readonly string[] = []): string[] {
  const isNear = at.every((step, index) => path[index] === step)
  if (isNear && at.length >= path.length) return []
  if (typeof value !== 'object' || value === null) return [`${JSON.stringify(at)} ${JSON.stringify(value)}`]
  const inner = Object.entries(value).flatMap(([name, one]) => listOthers(one, path, [...at, name]))
  const isEmpty = Object.keys(value).length === 0
  return isEmpty && !isNear ? [`${JSON.stringify(at)} ${Array.isArray(value) ? '[]' : '{}'}`] : inner
}

const sample = fc.sample(documents, { numRuns: 200, seed: 34 })

test('at least 70 of 100 random documents are valid', (t) => {
  const first = sample.slice(0, 100)
  const count = first.filter((document) => validateAccount(document).length === 0).length
  t.diagnostic(`${count} of 100`)
  assert.ok(count >= 70, `${count} of 100`)
})

test('every field of the schema is in some random document', () => {
  const seen = new Map<string, Set<string>>()
  const known = new Map<string, string[]>()
  const collect = (value: unknown, path: readonly (string | number)[], name: string) => {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const one of value) collect(one, [...path, 0], `${name}.#`)
      return
    }
    const keys = known.get(name) ?? keysAt(AccountDocument, path)
    known.set(name, keys)
    // The shapes of a union have fields of their own, and any text can be a name of a record.
    const own = seen.get(name) ?? new Set()
    seen.set(name, own)
    for (const [key, one] of Object.entries(value)) {
      own.add(key)
      collect(one, [...path, key], `${name}.${keys.includes(key) ? key : '*'}`)
    }
  }
  for (const document of sample) collect(document, [], '')
  const missing = [...known].flatMap(([name, keys]) =>
    keys.filter((key) => !seen.get(name)?.has(key)).map((key) => `${name}.${key}`),
  )
  // Hours have a key for each range of days.
  assert.deepEqual(
    missing.filter((name) => !/hours\.[a-z]{3}-[a-z]{3}$/.test(name)),
    [],
  )
})

test('a random document that is opened in every form and saved without a change stays the same, byte for byte', () => {
  fc.assert(
    fc.property(valid, (document) => {
      const before = JSON.stringify(document)
      for (const { place, again } of listFields(document)) {
        const edits = enter(document, again)
        assert.deepEqual(edits, [], JSON.stringify(place))
        assert.equal(JSON.stringify(withEdits(document, edits)), before)
      }
      assert.equal(JSON.stringify(document), before, 'no form changes what it reads')
    }),
    { numRuns: 100 },
  )
})

test('a field of a form changes its own path in a random document and no other', () => {
  const fields = valid.chain((document) =>
    fc.tuple(fc.constant(document), fc.shuffledSubarray(listFields(document), { maxLength: 40 })),
  )
  fc.assert(
    fc.property(fields, ([document, chosen]) => {
      for (const { place, change } of chosen) {
        const edits = enter(document, change)
        if (edits.length === 0) continue
        const edited = withEdits(document, edits)
        const path = toPath(document, place)
        assert.notDeepEqual(differences(document, edited), [], JSON.stringify(place))
        assert.deepEqual(listOthers(edited, path), listOthers(document, path), JSON.stringify(place))
      }
    }),
    { numRuns: 100 },
  )
})

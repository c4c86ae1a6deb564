import assert from 'node:assert/strict'
import { test } from 'node:test'
import { windowWords as cliWords } from '../../src/cli/format.ts'
import { factMarks } from '../../src/documents/label/facts.ts'
import type { Store } from '../../src/domain/account/account.ts'
import { formatPlace, isSameClock } from '../../src/domain/calendar/format-window-at.ts'
import { windowZoneOfDelivery } from '../../src/domain/calendar/window-zone.ts'
import { atLocal, formatLocal, localDay, zone } from '../../src/domain/calendar/zone.ts'
import { getZoneName } from '../../src/domain/geo/states.ts'
import { formatDeliveryMessage } from '../../src/domain/messages/message-text.ts'
import { resolveDelivery } from '../../src/domain/quoting/resolve/resolve-delivery.ts'
import { STATES, type State } from '../../src/domain/values.ts'
import { fromHelp } from '../../src/http/api/tracking/tracking-wire.ts'
import { deliverWords } from '../../src/operations/mail-couriers/courier-note.ts'
import { exampleAccount } from '../../test/demo-account.ts'
import { LABEL } from '../../test/documents/label-examples.ts'
import { deliveryRequest } from '../../test/requests.ts'
import { windowOfJob } from '../driver/places.ts'
import { cellsOf } from '../portal/deliveries/export-csv.ts'
import { formatWhen } from '../portal/format-when.ts'
import { formatTrackingWindow as trackWords } from '../track/format-tracking-window.ts'
import type { Delivery, DriverJob, Store as StoreData, Tracking } from './api.generated.ts'
import { formatUntil } from './page-times.ts'

const account = exampleAccount('demo-account')
const nowMs = Date.parse('2026-11-24T10:00:00+11:00')
const resolved = resolveDelivery(account, deliveryRequest, { sight: () => true, nowMs })
if ('issues' in resolved) throw new Error(JSON.stringify(resolved.issues))
const { content: CONTENT } = resolved

const POST_CODES: Readonly<Record<State, string>> = {
  NSW: '2000',
  VIC: '3000',
  QLD: '4000',
  SA: '5000',
  WA: '6000',
  TAS: '7000',
  NT: '0800',
  ACT: '2600',
}
const DOORS = [
  ...STATES.map((state) => ({ state, postCode: POST_CODES[state] })),
  { state: 'NSW', postCode: '2880' } as const,
]

test('every page, label and message shows the same window, for each pair of store zone and address zone', () => {
  for (const mode of ['store_to_door', 'customer_pickup'] as const)
    for (const store of account.storeById.values()) for (const api of DOORS) agree(store, api, mode)
})

test('label, portal and customer message show 8 am to 6 pm for a delivery to Darwin', () => {
  const store = account.storeByReference.get('melbourne-cbd') as Store
  const message = windowTextsOf(store, { state: 'NT', postCode: '0800' }, 'store_to_door')
  assert.equal(message.portal, 'Wed 25, 8 am – 6 pm, Darwin time')
  assert.equal(message.label, 'Wed 25 Nov, 8 am – 6 pm, Darwin time')
  assert.equal(message.tracking, 'tomorrow, 8 am – 6 pm')
  assert.match(message.message, / arrives tomorrow, 8 am - 6 pm\. /)
})

test('a customer in Perth sees a Melbourne store’s closing time in Melbourne time', () => {
  const store = account.storeByReference.get('melbourne-cbd') as Store
  const help = fromHelp(store, nowMs) as Tracking['help']
  assert.match(formatUntil(help, 'Australia/Perth', nowMs), /^, until \d+(:\d\d)? pm, Melbourne time$/)
})

type Api = { state: State; postCode: string }
type Mode = 'store_to_door' | 'customer_pickup'

function windowTextsOf(store: Store, api: Api, mode: Mode) {
  const content = {
    ...CONTENT,
    deliveryMode: mode,
    address: { ...CONTENT.address, ...api },
    destination: { ...CONTENT.destination, ...api },
  }
  const place = windowZoneOfDelivery(content, store)
  const window = { fromMs: at(place, 8), toMs: at(place, 18) }
  // As the API writes it: with the offset of the store.
  const times = {
    from_datetime: formatLocal(store.zone, window.fromMs),
    to_datetime: formatLocal(store.zone, window.toMs),
  }
  const address = { state: api.state, post_code: api.postCode }
  const delivery = {
    ...{ ...times, address, delivery_mode: mode, status: 'booked', store_id: store.id },
    ready_for_pickup_at: times.from_datetime,
  } as unknown as Delivery
  const home = { id: store.id, time_zone: store.zone.name } as StoreData
  const label = { ...LABEL, window: { ...window, zone: place, reader: store.zone.name } }
  const doorZone = getZoneName(api.state, api.postCode)
  const tracking = {
    ...times,
    delivery_mode: mode,
    now: formatLocal(store.zone, nowMs),
    time_zone: doorZone,
    help: fromHelp(store, nowMs),
  } as unknown as Tracking
  const end =
    mode === 'customer_pickup' ? { state: store.address.state, post_code: store.address.postCode } : address
  const facts = { delivery: { reference: 'A-17', window, content, articles: [] }, store, nowMs }
  const cells = cellsOf(delivery, { stores: [home], store: home, nowMs: () => nowMs })
  const marks = factMarks(label, LABEL.articles[0]!, 0)
  const to = { ...end, postCode: end.post_code }
  return {
    portal: formatWhen(delivery, store.zone.name, nowMs),
    export: cells.at(-1) as string,
    exportTimes: `${cells.at(-4)} ${cells.at(-3)}`,
    label: marks
      .flatMap((mark) => (mark.kind === 'text' && / – /.test(mark.text) ? mark.text : []))
      .join(' '),
    courier: deliverWords({ consignment: { window, to } as never, zone: store.zone }),
    cli: cliWords(times.from_datetime, times.to_datetime, {
      mode,
      ...end,
      postCode: api.postCode,
      state: api.state,
    }),
    driver: windowOfJob({ ...times, to: end } as DriverJob) ?? '',
    message: formatDeliveryMessage('sms', 'booked', facts).body,
    tracking: trackWords(tracking, 'near', doorZone),
  }
}

function agree(store: Store, api: Api, mode: Mode): void {
  const message = windowTextsOf(store, api, mode)
  const place = mode === 'customer_pickup' ? store.zone.name : getZoneName(api.state, api.postCode)
  const fromMs = at(place, 8)
  const doorZone = getZoneName(api.state, api.postCode)
  const named = (reader: string) => (isSameClock(place, reader, fromMs) ? '' : `, ${formatPlace(place)}`)
  const about = `${store.reference} and ${api.state} ${api.postCode}, ${mode}`
  for (const face of ['portal', 'export', 'label', 'courier', 'cli'] as const)
    assert.match(message[face], new RegExp(`, 8 am – 6 pm${named(store.zone.name)}$`), `${face}: ${about}`)
  for (const face of ['message', 'tracking'] as const)
    assert.match(message[face], new RegExp(`, 8 am [–-] 6 pm${named(doorZone)}(\\.|$)`), `${face}: ${about}`)
  assert.match(message.driver, /, 8 am – 6 pm/, `driver: ${about}`)
  assert.match(message.exportTimes, /T08:00:00\S+ \S+T18:00:00/, `export: ${about}`)
}

/** Tomorrow at an hour of a zone. */
function at(name: string, hour: number): number {
  const there = zone(name)
  return atLocal(there, localDay(there, nowMs) + 1, hour * 60)
}

import { test } from 'node:test'
import { exampleAccount } from '../../../../test/demo-account.ts'
import { ballarat, northOf } from '../../../../test/jobs.ts'
import { expectRefusals, type RefusalCase } from '../../../../test/refusals.ts'
import { carriageRules } from './rules-of-carriage.ts'

const demo = exampleAccount('demo-account')
const melbourne = demo.storeByReference.get('melbourne-cbd')!

const CASES: readonly RefusalCase[] = [
  {
    name: 'another type was asked for',
    service: 'NOW',
    job: { deliveryType: 'standard' },
    rule: 'delivery_type',
    detail: /NOW is fast; standard/,
  },
  { name: 'its own type was asked for', service: 'NOW', job: { deliveryType: 'fast' }, rule: null },
  {
    name: 'pinned to another carrier',
    service: 'NOW',
    job: { pin: { provider: 'big_haul', service: null } },
    rule: 'provider_options',
    detail: /big_haul/,
  },
  {
    name: 'pinned to another service',
    service: 'NOW',
    job: { pin: { provider: 'swiftly', service: 'TODAY' } },
    rule: 'provider_options',
  },
  { name: 'pinned to it', service: 'NOW', job: { pin: { provider: 'swiftly', service: 'NOW' } }, rule: null },
  {
    name: 'pinned to its carrier',
    service: 'NOW',
    job: { pin: { provider: 'swiftly', service: null } },
    rule: null,
  },
  {
    name: 'of another store',
    service: 'NOW',
    limits: { stores: new Set(['fitzroy']) },
    job: {},
    rule: 'store',
    detail: /NOW does not collect from melbourne-cbd/,
  },
  {
    name: 'of its store',
    service: 'NOW',
    limits: { stores: new Set(['melbourne-cbd']) },
    job: {},
    rule: null,
  },
  { name: '19.9 km away', service: 'NOW', job: { destination: northOf(melbourne, 19.9) }, rule: null },
  {
    name: '20.1 km away',
    service: 'NOW',
    job: { destination: northOf(melbourne, 20.1) },
    rule: 'service_area',
    detail: /20\.1 km from the store; NOW goes at most 20 km/,
  },
  { name: 'post goes everywhere', service: 'ROAD', job: { destination: ballarat }, rule: null },
  { name: 'a state served', service: 'NOW', limits: { states: new Set(['VIC']) }, job: {}, rule: null },
  {
    name: 'a state not served',
    service: 'NOW',
    limits: { states: new Set(['NSW', 'QLD']) },
    job: {},
    rule: 'service_area',
    detail: /in VIC; NOW serves NSW, QLD/,
  },
  {
    name: 'a PO box by courier',
    service: 'NOW',
    job: { destination: { ...northOf(melbourne, 2), addressKind: 'po_box' } },
    rule: 'address_kind',
    detail: /is a PO box or a locked bag; NOW goes to a street address only/,
  },
  {
    name: 'a PO box by road',
    service: 'ROAD',
    job: { destination: { ...northOf(melbourne, 2), addressKind: 'po_box' } },
    rule: null,
  },
  {
    name: 'a parcel locker by road',
    service: 'ROAD',
    job: { destination: { ...northOf(melbourne, 2), addressKind: 'parcel_locker' } },
    rule: 'address_kind',
    detail: /is a parcel locker; ROAD goes to a street address or a PO box or a locked bag only/,
  },
  {
    name: 'a parcel locker where lockers are taken',
    service: 'ROAD',
    limits: { addressKinds: new Set(['street', 'parcel_locker']) },
    job: { destination: { ...northOf(melbourne, 2), addressKind: 'parcel_locker' } },
    rule: null,
  },
  {
    name: 'from a PO box',
    service: 'ROAD',
    job: { mode: 'customer_pickup', destination: { ...northOf(melbourne, 2), addressKind: 'po_box' } },
    rule: 'address_kind',
    detail: /nobody can collect from there/,
  },
  {
    name: 'a mode not done',
    service: 'NOW',
    limits: { modes: new Set(['store_to_door']) },
    job: { mode: 'customer_pickup' },
    rule: 'mode',
    detail: /customer pickup/,
  },
]

test('a service is used only for its delivery types, directions and areas', () => {
  expectRefusals(demo, carriageRules, CASES)
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { OWNER_GRANTS, type OwnerGrant } from '../values.ts'
import type { AccountDocumentInput } from './document/document.ts'
import { listForbiddenChanges } from './owner-access.ts'

const demo: AccountDocumentInput = parse(
  readFileSync(new URL('../../../examples/demo-account.yaml', import.meta.url), 'utf8'),
)

function changed(change: (document: AccountDocumentInput) => void, grants: readonly OwnerGrant[] = []) {
  const before = { ...structuredClone(demo), owner_grants: [...grants] }
  const after = structuredClone(before)
  change(after)
  return listForbiddenChanges(before, after).map(({ field }) => field)
}

const PROVIDER = { name: 'Acme', issuer: 'https://login.acme.example', client_id: 'drover' }
const store = (document: AccountDocumentInput) => document.stores[6]!
const newStore = { ...demo.stores[0]!, reference: 'geelong' }

test('each field has its editor: the merchant’s admins, the admins with a grant, or operators', () => {
  const rows: [string, (document: AccountDocumentInput) => void, OwnerGrant | null | 'operator'][] = [
    ['stores.perth-cbd.hours.sat', (d) => (store(d).hours = { 'mon-sat': '09:00-13:00' }), null],
    ['a closure', (d) => (store(d).closures = [{ from: '2026-12-24' }]), null],
    ['an extra opening', (d) => (store(d).openings = [{ from: '2026-12-13', hours: '10:00-16:00' }]), null],
    ['labels of a store', (d) => (store(d).labels = { format: 'zpl' }), null],
    ['a new store', (d) => d.stores.push(newStore), null],
    ['a removed store', (d) => d.stores.pop(), null],
    ['a price', (d) => (d.carriers![0]!.services[0]!.price!.base_cents = 900), null],
    ['a name', (d) => (d.brands[0]!.name = 'Wattle'), null],
    ['a logo', (d) => (d.brands[0]!.logo = 'data:image/png;base64,AAAA'), null],
    ['boxes', (d) => (d.usual_boxes = []), null],
    ['dangerous goods', (d) => d.dangerous_goods_definitions!.pop(), null],
    ['order of booking', (d) => (d.booking = { order: 'fastest' }), null],
    ['timing of a type', (d) => (d.delivery_types.express!.timing.on_day!.to = '19:00'), null],
    ['stores.perth-cbd.modes', (d) => (store(d).modes = ['store_to_door']), 'modes'],
    ['stores.geelong.modes', (d) => d.stores.push({ ...newStore, modes: ['customer_pickup'] }), 'modes'],
    ['modes', (d) => (d.modes = ['store_to_door']), 'modes'],
    ['own_carriers', (d) => (d.own_carriers = true), 'own_carriers'],
    ['capabilities', (d) => (d.capabilities = {}), 'click_and_deliver'],
    [
      'brands.wattle-and-co.allocation_strategy',
      (d) => (d.brands[0]!.allocation_strategy = 'distance_only'),
      'allocation',
    ],
    ['sign_in', (d) => (d.sign_in = { openid_connect: PROVIDER }), 'sign_in'],
    ['delivery_types.express', (d) => delete d.delivery_types.express, 'delivery_types'],
    ['delivery_types.express.enabled', (d) => (d.delivery_types.express!.enabled = false), 'delivery_types'],
    ['services.swiftly TODAY', (d) => d.carriers![0]!.services.pop(), 'carriers'],
    ['carriers.swiftly.limits', (d) => (d.carriers![0]!.limits = { radius_km: 30 }), 'carriers'],
    ['mode', (d) => (d.mode = 'live'), 'operator'],
    ['limits', (d) => (d.limits = { burst: 1 }), 'operator'],
    ['sms', (d) => (d.sms = { per_day: 10 }), 'operator'],
    ['owner_grants', (d) => (d.owner_grants = ['carriers', 'modes']), 'operator'],
  ]
  for (const [name, change, editor] of rows) {
    const others = OWNER_GRANTS.filter((grant) => grant !== editor)
    assert.equal(changed(change, others).length > 0, editor !== null, `${name} without the grant`)
    assert.equal(changed(change, OWNER_GRANTS).length > 0, editor === 'operator', `${name} with every grant`)
    if (name.includes('.')) assert.ok(editor === null || changed(change, others)[0]?.startsWith(name), name)
  }
})

test('an issue names the field, and whom to ask for it', () => {
  const after = { ...structuredClone(demo), owner_grants: [], own_carriers: true, limits: { burst: 1 } }
  const messages = listForbiddenChanges({ ...demo, owner_grants: [] }, after).map(({ message }) => message)
  assert.match(
    messages.find((one) => one.startsWith('own_carriers')) ?? '',
    /add "own_carriers" to owner_grants/,
  )
  assert.match(messages.find((one) => one.startsWith('limits')) ?? '', /Only your implementation partner/)
})

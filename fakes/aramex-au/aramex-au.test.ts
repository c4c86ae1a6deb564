import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { RunningFake } from '../fake.ts'
import { ARAMEX_CLIENT, startAramexAu } from './start-aramex-au.ts'

const NOON_MS = Date.parse('2026-11-24T01:00:00Z')
// biome-ignore lint/suspicious/noExplicitAny: a test reads any answer.
type Reply = { status: number; json: any }

let fake: RunningFake
let token = ''
before(async () => {
  fake = await startAramexAu({ nowMs: NOON_MS })
  token = (await signIn()).json.access_token
})
after(() => fake.close())

/** As their own client's tests book. */
const STANDARD = {
  ConTypeId: 1,
  To: {
    ContactName: 'Tony Receiver',
    BusinessName: "Tony's Tools",
    Email: 'tony@example.com',
    PhoneNumber: '0400 123 456',
    Address: {
      ...{ StreetAddress: '73 Katoomba St', Locality: 'Katoomba', PostalCode: '2780' },
      ...{ StateOrProvince: 'NSW', Country: 'AU' },
    },
  },
  Items: [
    { Quantity: 1, PackageType: 'P', Reference: 'Parcel', WeightDead: 5, Length: 25, Width: 10, Height: 10 },
    { Quantity: 1, PackageType: 'S', Reference: 'Satchel', SatchelSize: 'A4' },
  ],
}

async function signIn(changes: Record<string, string> = {}): Promise<Reply> {
  const form = {
    ...{ grant_type: 'client_credentials', scope: 'ac-api-au' },
    ...{ client_id: ARAMEX_CLIENT.clientId, client_secret: ARAMEX_CLIENT.clientSecret },
  }
  const body = new URLSearchParams({ ...form, ...changes })
  const answer = await fetch(`${fake.url}/connect/token`, { method: 'POST', body })
  return { status: answer.status, json: await answer.json() }
}

async function call(method: string, path: string, body?: unknown, bearer = token): Promise<Reply> {
  const answer = await fetch(`${fake.url}/api/${path}`, {
    method,
    headers: { authorization: `bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, json: text === '' ? null : JSON.parse(text) }
}

async function control(path: string, body: object): Promise<void> {
  assert.ok((await fetch(`${fake.url}/_fake/${path}`, { method: 'POST', body: JSON.stringify(body) })).ok)
}

const codesOf = ({ json }: Reply) => json.errors.map(({ code }: { code: string }) => code)

test('a token is valid for one hour, one client and Australia', async () => {
  assert.equal((await signIn()).json.expires_in, 3_600)
  assert.equal((await signIn({ client_secret: 'wrong' })).json.error, 'invalid_client')
  assert.equal((await signIn({ scope: 'ac-api-nz' })).json.error, 'invalid_scope')
  assert.equal((await signIn({ grant_type: 'password' })).json.error, 'unsupported_grant_type')
  assert.deepEqual(await call('GET', 'consignments', undefined, 'wrong'), { status: 401, json: null })
})

test('a consignment has its quote’s price and can be read, listed and labelled', async () => {
  const quoted = await call('POST', 'consignments/quote', STANDARD)
  const created = await call('POST', 'consignments', { ...STANDARD, ExternalRef1: 'mine' })
  assert.equal(created.status, 201)
  const { conId, total, items } = created.json.data
  assert.equal(total, quoted.json.data.total)
  assert.equal(items.length, 2)
  assert.deepEqual((await call('GET', `consignments/${conId}`)).json.data, created.json.data)
  for (const days of ['fromDate=2026-11-24&toDate=2026-11-24', 'from=2026-11-24&to=2026-11-24']) {
    const rows = (await call('GET', `consignments?${days}`)).json.data
    assert.ok(rows.some((row: { externalRef1: string }) => row.externalRef1 === 'mine'))
  }
  assert.deepEqual((await call('GET', 'consignments?from=2026-11-25')).json.data, [])
  assert.deepEqual((await call('GET', 'consignments?pageNumber=1')).json.data, [])
  for (const path of [`labels?pageSize=4x6`, `labels/${items[0].label}?pageSize=A4`]) {
    const headers = { authorization: `bearer ${token}` }
    const answer = await fetch(`${fake.url}/api/consignments/${conId}/${path}`, { headers })
    assert.match(await answer.text(), /^%PDF-/)
  }
})

test('reports all errors at once, by code', async () => {
  const [parcel, satchel] = STANDARD.Items
  const cases: [object, string[]][] = [
    [{ To: { ...STANDARD.To, ContactName: '', PhoneNumber: '' } }, ['VAL_REQ', 'VAL_REQ']],
    [{ To: { ...STANDARD.To, Address: { ...STANDARD.To.Address, PostalCode: '278' } } }, ['PSC_PC_NF']],
    [
      {
        Items: [
          { ...satchel, SatchelSize: 'A9' },
          { ...parcel, PackageType: 'Q' },
        ],
      },
      ['CON_SAT', 'CON_PKG'],
    ],
    [{ Items: [{ ...parcel, WeightDead: undefined }] }, ['VAL_REQ']],
    [{ Items: [{ ...parcel, WeightDead: 'five' }] }, ['VAL_INVALID']],
    [{ Items: [{ ...parcel, WeightDead: 26 }] }, ['PRI_WGT_MX_KG']],
    [{ Items: [{ ...parcel, Length: 100, Width: 100, Height: 100 }] }, ['PRI_WGT_MX_CM']],
    [{ Items: undefined }, ['VAL_REQ']],
    [{ ConTypeId: 5 }, ['VAL_REQ', 'VAL_REQ', 'VAL_REQ']],
  ]
  for (const [changes, codes] of cases) {
    const answer = await call('POST', 'consignments', { ...STANDARD, ...changes })
    assert.equal(answer.status, 400)
    assert.deepEqual(codesOf(answer), codes, JSON.stringify(changes))
  }
})

test('a deleted consignment is gone; a scanned one cannot be deleted', async () => {
  const [reason] = (await call('GET', 'consignments/deleted-reasons')).json.data
  const { conId } = (await call('POST', 'consignments', STANDARD)).json.data
  const path = `consignments/${conId}`
  assert.deepEqual(codesOf(await call('DELETE', `${path}/reason/99`)), ['VAL_INVALID'])
  assert.equal((await call('DELETE', `${path}/reason/${reason.id}`)).status, 200)
  assert.deepEqual(codesOf(await call('GET', path)), ['REC_NF'])
  assert.deepEqual(codesOf(await call('DELETE', `${path}/reason/${reason.id}`)), ['REC_NF'])

  const consignment = (await call('POST', 'consignments', STANDARD)).json.data
  const { label } = consignment.items[0]
  assert.deepEqual((await call('GET', `track/label/${label}`)).json.data, [])
  await control('scans', { label, scan_type: 'P', description: 'Picked up' })
  const [scan] = (await call('GET', `track/label/${label}`)).json.data
  assert.deepEqual([scan.scanType, scan.scannedDateTime], ['P', '2026-11-24T12:00:00'])
  assert.deepEqual(codesOf(await call('DELETE', `consignments/${consignment.conId}/reason/${reason.id}`)), [
    'VAL_INVALID',
  ])
})

test('a prepaid account spends its balance', async () => {
  await control('balance', { available_cents: 0 })
  assert.deepEqual(codesOf(await call('POST', 'consignments', STANDARD)), ['FIN_CR_LOW'])
  await control('balance', { available_cents: null })
})

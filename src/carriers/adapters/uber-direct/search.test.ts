import assert from 'node:assert/strict'
import test from 'node:test'
import { consignment } from '../../../../test/sandbox-carriers.ts'
import type { Send } from '../../port/send.ts'
import { UBER_DIRECT } from './index.ts'

const MINUTE_MS = 60_000
const NOW_MS = Date.parse('2026-11-24T10:00:00Z')
const { key } = consignment

/** A merchant with one delivery a minute, the newest of them now; ours is `ours` minutes old. */
function uber({ deliveries, ours }: { deliveries: number; ours: number | null }) {
  const requests: string[] = []
  const nameOf = (minutesAgo: number) => (minutesAgo === ours ? 'del_ours' : `del_${minutesAgo}`)
  const listed = Array.from({ length: deliveries }, (_, minutesAgo) => ({
    id: nameOf(minutesAgo),
    external_id: minutesAgo === ours ? key : `other-${minutesAgo}`,
    created: new Date(NOW_MS - minutesAgo * MINUTE_MS).toISOString(),
  }))
  const send: Send = async ({ at, path }) => {
    const body = (value: unknown) => ({ kind: 'answered' as const, status: 200, body: value })
    if (at === 'login') return body({ access_token: 't', expires_in: 3_600 })
    requests.push(path)
    const { pathname, searchParams } = new URL(path, 'http://uber')
    if (!pathname.endsWith('/deliveries')) {
      return body({ id: 'del_ours', status: 'pending', fee: 900, currency: 'aud', external_id: key })
    }
    if (searchParams.has('filter')) return body({ data: [], next_href: '' })
    const offset = Number(searchParams.get('offset'))
    const data = listed.slice(offset, offset + Number(searchParams.get('limit')))
    return body({ data, next_href: offset + data.length < listed.length ? 'more' : '' })
  }
  const carrier = UBER_DIRECT.make({
    ...{ send, credentials: { customer_id: 'c' }, settings: {}, environment: 'sandbox' },
    wallMs: () => NOW_MS,
  })
  return {
    requests,
    find: (minutesAgo: number) => carrier.find?.(key, consignment, NOW_MS - minutesAgo * MINUTE_MS),
  }
}

const NOT_THERE = { kind: 'yes', value: null }

test('a search stops at deliveries older than the booking', async () => {
  for (const [minutesAgo, pages] of [
    [0, 2],
    [30, 2],
    [3_000, 32],
  ] as const) {
    const { requests, find } = uber({ deliveries: 6_000, ours: null })
    assert.deepEqual(await find(minutesAgo), NOT_THERE)
    assert.equal(requests.length, 1 + pages, `${minutesAgo} minutes ago: ${requests.length} questions`)
  }
})

test('finds a newer booking behind thousands of others, with clocks an hour apart', async () => {
  for (const [ours, sinceMinutes] of [
    [2_500, 2_500],
    [2_559, 2_500],
    [5_999, 6_000],
  ] as const) {
    const found = await uber({ deliveries: 6_000, ours }).find(sinceMinutes)
    assert.equal(found?.kind === 'yes' && found.value?.consignmentNumber, 'del_ours', `${ours} minutes ago`)
  }
})

test('a search past its page limit is unknown, and a short list is searched to its end', async () => {
  assert.equal((await uber({ deliveries: 12_000, ours: 11_000 }).find(11_500))?.kind, 'unknown')
  assert.deepEqual(await uber({ deliveries: 150, ours: null }).find(10_000), NOT_THERE)
})

test('follows Uber’s next_href, but never to another host', async () => {
  const requests: string[] = []
  const pages: Record<string, { data: object[]; next_href: string }> = {
    '': {
      data: [{ id: 'del_1', external_id: 'other' }],
      next_href: 'https://thief.example/x?cursor=a%2Bb&limit=100',
    },
    'a+b': {
      data: [{ id: 'del_2', external_id: 'other' }],
      next_href: '/v1/customers/c/deliveries?cursor=last',
    },
    last: { data: [{ id: 'del_ours', external_id: key }], next_href: '' },
  }
  const send: Send = async ({ at, path }) => {
    const body = (value: unknown) => ({ kind: 'answered' as const, status: 200, body: value })
    if (at === 'login') return body({ access_token: 't', expires_in: 3_600 })
    requests.push(path)
    const { pathname, searchParams } = new URL(path, 'http://uber')
    if (!pathname.endsWith('/deliveries')) {
      return body({ id: 'del_ours', status: 'pending', fee: 900, currency: 'aud', external_id: key })
    }
    if (searchParams.has('filter')) return body({ data: [], next_href: '' })
    return body(pages[searchParams.get('cursor') ?? ''])
  }
  const carrier = UBER_DIRECT.make({
    ...{ send, credentials: { customer_id: 'c' }, settings: {}, environment: 'sandbox' },
    wallMs: () => NOW_MS,
  })
  const found = await carrier.find?.(key, consignment, NOW_MS)
  assert.equal(found?.kind === 'yes' && found.value?.consignmentNumber, 'del_ours')
  assert.deepEqual(requests.slice(1, 4), [
    '/customers/c/deliveries?limit=100&offset=0',
    '/customers/c/deliveries?cursor=a%2Bb&limit=100',
    '/customers/c/deliveries?cursor=last',
  ])
})

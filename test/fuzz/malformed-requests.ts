import type { Random } from '../harness/random.ts'
import type { Case } from './cases.ts'

export type Oddity = Partial<Pick<Case, 'method' | 'url' | 'body' | 'form'>> & {
  headers?: Record<string, string>
}

/** A fault of the request outside every schema: its bytes, its headers, its address. */
export function odd(made: Case, random: Random): Oddity {
  const choices = made.body === undefined ? BARE : [...BARE, ...WITH_BODY]
  return random.pick(choices)(made, random)
}

type Way = (made: Case, random: Random) => Oddity

/** Addresses and headers. An unknown caller must be rejected; otherwise any documented response is right. */
const BARE: readonly Way[] = [
  () => ({ headers: { authorization: 'Bearer drt_bm9ib2R5.AAAA' } }),
  () => ({ headers: { authorization: 'Basic AAAA' } }),
  () => ({ headers: { authorization: '' } }),
  () => ({ headers: { 'x-request-id': 'a b\u00e9', traceparent: '00-0-0-0' } }),
  () => ({ headers: { 'idempotency-key': 'k'.repeat(300) } }),
  () => ({ headers: { 'idempotency-key': '"' } }),
  () => ({ headers: { cookie: '__Host-drover-session=demo.x; __Host-drover-driver=y', authorization: '' } }),
  () => ({ headers: { accept: 'application/xml', 'accept-encoding': 'br;q=0, *;q=0' } }),
  () => ({ headers: { 'x-forwarded-for': '::1, nonsense', range: 'bytes=0-0', 'if-none-match': '*' } }),
  ({ url }) => ({ url: `${url}${url.includes('?') ? '&' : '?'}limit=1&limit=2` }),
  ({ url }) => ({ url: url.replace(/[^/?]+(\?|$)/, '%00$1') }),
  ({ url }) => ({ url: url.replace(/[^/?]+(\?|$)/, '%c3%28$1') }),
  ({ url }) => ({ url: url.replace(/[^/?]+(\?|$)/, '%0d%0aSet-Cookie:x$1') }),
  ({ url }) => ({ url: url.replace(/[^/?]+(\?|$)/, `${'a'.repeat(3_000)}$1`) }),
  ({ url }) => ({ url: `/${url}` }),
  ({ url }) => ({ url: `${url}/` }),
  () => ({ headers: { 'content-type': 'text/plain' }, body: 'x' }),
]

const WITH_BODY: readonly Way[] = [
  // The same as no body, which some operations allow.
  () => ({ body: '' }),
  ({ operation }) => ({ body: 'null', form: operation.body?.required === false ? 'odd' : 'bad' }),
  ...[
    '{',
    '[]',
    '"text"',
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"admin":true}}}',
    `${'{"a":'.repeat(21)}1${'}'.repeat(21)}`,
    `${'['.repeat(50_000)}`,
    '{"a":1e999}',
    '{"a":"\\ud800"}',
    '{"a":"\\u0000"}',
    '{"a":1,"a":2}',
  ].map(
    (body): Way =>
      () => ({ body, form: 'bad' }),
  ),
  () => ({ body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), form: 'bad' }),
  ({ body }) => ({ body: Buffer.from(String(body), 'utf16le'), form: 'bad' }),
  ({ body }) => ({ body: `\ufeff${body}` }),
  ({ body }) => ({ body: String(body).slice(0, -1), form: 'bad' }),
  (_, random) => ({
    headers: {
      'content-type': random.pick([
        'text/plain',
        'application/xml',
        'multipart/form-data; boundary=x',
        'application/json; charset=utf-16',
      ]),
    },
  }),
  (_, random) => ({
    headers: { 'content-encoding': random.pick(['gzip', 'br', 'deflate', 'x']) },
    form: 'bad',
  }),
]

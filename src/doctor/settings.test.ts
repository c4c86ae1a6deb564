import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../config.ts'
import { checkDescriptors, checkSettings } from './settings.ts'

const KEY = '8f3b1c5e9a7d20464bd1e6f70392c8a5'
const LIVE = {
  DROVER_LIVE: '1',
  PUBLIC_URL: 'https://drover.example',
  DROVER_OPERATOR_TOKEN: 'c41f7e02b95d83a6',
  METRICS_PORT: '9091',
}

function listFindings(overrides: Record<string, string>): string[] {
  const env = { DROVER_SECRET_KEY: KEY, ...overrides }
  return checkSettings(loadConfig(env), env).map(({ check, found, message, remedy }) =>
    [found, check, message, remedy].join(' | '),
  )
}

test('valid settings are not reported', () => {
  assert.deepEqual(listFindings({}), [])
  assert.deepEqual(listFindings(LIVE), [])
})

test('an unknown variable is reported with the nearest setting', () => {
  const cases: [name: string, meant: RegExp][] = [
    ['DROVER_TRUSTED_PROXY', /Did you mean DROVER_TRUSTED_PROXIES\?/],
    ['DROVER_SECERT_KEY', /Did you mean DROVER_SECRET_KEY\?/],
    ['DROVER_OLD_SECRET_KEY', /Did you mean DROVER_OLD_SECRET_KEYS\?/],
    ['DROVER_PUBLIC_URL', /Did you mean PUBLIC_URL\?/],
    ['DROVER_DATABASE_URL', /Did you mean DATABASE_URL\?/],
    ['DROVER_PORT', /Did you mean PORT\?/],
    ['DROVER_PLUMBING', /Remove it/],
  ]
  for (const [name, meant] of cases) {
    const [finding, ...more] = listFindings({ [name]: 'x' })
    assert.match(finding ?? '', new RegExp(`^wrong .*variable ${name}, so it has no effect`))
    assert.match(finding ?? '', meant)
    assert.deepEqual(more, [])
  }
  for (const name of ['DROVER_URL', 'DROVER_CLIENT_SECRET'])
    assert.deepEqual(listFindings({ [name]: 'x' }), [])
})

test('the variables that Kubernetes adds for a service called drover are not reported as settings', () => {
  const links = {
    DROVER_SERVICE_HOST: '10.0.0.1',
    DROVER_SERVICE_PORT: '80',
    DROVER_SERVICE_PORT_HTTP: '80',
    DROVER_PORT: 'tcp://10.0.0.1:80',
    DROVER_PORT_80_TCP: 'tcp://10.0.0.1:80',
    DROVER_PORT_80_TCP_ADDR: '10.0.0.1',
  }
  assert.equal(listFindings(links).length, 6)
  assert.deepEqual(listFindings({ ...links, KUBERNETES_SERVICE_HOST: '10.0.0.1' }), [])
})

test('a proxy range that trusts every address is reported', () => {
  for (const range of ['0.0.0.0/0', '::/0', '128.0.0.0/1', '2000::/3', '::ffff:0:0/96'])
    assert.match(
      listFindings({ DROVER_TRUSTED_PROXIES: `192.0.2.7,${range}` }).join(),
      /^wrong \| trusted proxies/,
      range,
    )
  for (const range of ['10.0.0.0/8', '172.16.0.0/12', 'fc00::/7', '2001:db8::/32', '203.0.113.9'])
    assert.deepEqual(listFindings({ DROVER_TRUSTED_PROXIES: range }), [], range)
})

test('a remote database without TLS is reported', () => {
  const of = (rest: string) => listFindings({ DATABASE_URL: `postgres://drover:x@${rest}` }).join()
  for (const rest of [
    'db.example.com/drover',
    '10.0.0.5:5432/drover?sslmode=disable',
    '[2001:db8::5]/drover',
  ])
    assert.match(of(rest), /^wrong \| database TLS .*sslmode=verify-full/, rest)
  assert.match(of('postgres:5432/drover'), /^note \| database TLS/, 'a container in the same network')
  for (const rest of [
    'db.example.com/drover?sslmode=verify-full',
    'db.example.com/drover?sslmode=require',
    '127.0.0.1/drover',
    'localhost/drover',
    '[::1]/drover',
    'x/drover?host=/var/run/postgresql',
  ])
    assert.equal(of(rest), '', rest)
})

test('live mode reports a public URL that customers cannot open, and public metrics', () => {
  assert.match(
    listFindings({ ...LIVE, PUBLIC_URL: 'http://localhost:8080' }).join(),
    /^wrong \| public address/,
  )
  const { METRICS_PORT: _, ...withoutMetrics } = LIVE
  assert.match(listFindings(withoutMetrics).join(), /^note \| metrics/)
})

test('a low limit of open files is reported with its figure', () => {
  assert.match(checkDescriptors(256)[0]?.message ?? '', /^This process may open 256 files at once/)
  assert.deepEqual(checkDescriptors(1_024), [])
})

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { ConfigMistakes, knownSettings, loadConfig } from './config.ts'

const OTEL_NAMES = [
  ...['ENDPOINT', 'TRACES_ENDPOINT', 'HEADERS', 'PROTOCOL', 'TIMEOUT'].map(
    (name) => `OTEL_EXPORTER_OTLP_${name}`,
  ),
  ...[
    'OTEL_TRACES_SAMPLER',
    'OTEL_TRACES_SAMPLER_ARG',
    'OTEL_RESOURCE_ATTRIBUTES',
    'OTEL_BSP_MAX_QUEUE_SIZE',
  ],
]

const secret = '8f3b1c5e9a7d20464bd1e6f70392c8a5'

function temporaryHome(t: TestContext): string {
  const home = mkdtempSync(join(tmpdir(), 'drover-config-'))
  t.after(() => rmSync(home, { recursive: true }))
  return home
}

function mistakesOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigMistakes) return error.mistakes
    throw error
  }
  return []
}

test('the log level of the environment overrides that of a terminal', () => {
  const level = (LOG_LEVEL: string) =>
    loadConfig({ DROVER_SECRET_KEY: 'k'.repeat(32), LOG_LEVEL }, { defaultLogLevel: 'warn' }).logLevel
  assert.equal(level(''), 'warn')
  assert.equal(level('info'), 'info')
})

test('every message about the environment is our own, whatever a variable holds', () => {
  const names = [...knownSettings(), ...OTEL_NAMES]
  const values = ['x', '-1', '0.5', '9'.repeat(40), 'a b', 'http://', '{}', '=', '\u0000', '10.0.0.0/99']
  const messages = names.flatMap((name) =>
    values.flatMap((value) =>
      mistakesOf({
        DROVER_SECRET_KEY: 'k'.repeat(32),
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
        DROVER_LIVE: '0',
        [name]: value,
      }).map((message) => ({ name, message })),
    ),
  )
  assert.ok(messages.length > 100, `${messages.length} messages`)
  for (const { name, message } of messages) {
    assert.match(message, /^[A-Z][A-Z_]+ must .*\.$/, name)
    assert.doesNotMatch(message, /Invalid|Too (big|small)|received|must match/, name)
  }
})

test('without settings Drover runs the demo on this machine', (t) => {
  const home = temporaryHome(t)
  const { secretKey, ...config } = loadConfig({ DROVER_HOME: home, DATABASE_URL: '', SMTP_URL: ' ' })
  assert.deepEqual(config, {
    port: 8080,
    host: '127.0.0.1',
    home,
    databaseUrl: null,
    databaseDirectUrl: null,
    databaseReadUrl: null,
    publicUrl: 'http://127.0.0.1:8080',
    operatorToken: 'demo-operator',
    oldSecretKeys: [],
    allowPrivateWebhooks: false,
    trustedProxies: [],
    workerPort: null,
    metricsPort: null,
    limits: { bodyBytes: 64 * 1024 * 1024, bodyMs: 10_000, perAddress: 1_024 },
    logLevel: 'info',
    smtpUrl: null,
    smsUrl: null,
    mapTiles: null,
    traces: null,
    commit: null,
    live: false,
  })
  assert.match(secretKey, /^[\w-]{43}$/)
})

test('the secret key is created once, readable by its owner only', (t) => {
  const env = { DROVER_HOME: join(temporaryHome(t), 'new', 'home') }
  const { home, secretKey } = loadConfig(env)
  assert.equal(loadConfig(env).secretKey, secretKey)
  assert.equal(statSync(join(home, 'secret_key')).mode & 0o777, 0o600)
  writeFileSync(join(home, 'secret_key'), '')
  assert.match(mistakesOf(env).join(), /damaged/)
})

test('all mistakes are reported at once, without repeating the values', () => {
  const given = {
    PORT: '80a',
    HOST: 'two words',
    DATABASE_URL: 'mysql://secret-a',
    DATABASE_DIRECT_URL: 'secret-d',
    DATABASE_READ_URL: 'postgres://secret-c,/drover',
    PUBLIC_URL: 'drover.example',
    DROVER_SECRET_KEY: 'secret-b',
    DROVER_LIVE: 'yes',
    DROVER_ALLOW_PRIVATE_WEBHOOKS: 'perhaps',
    DROVER_TRUSTED_PROXIES: '10.0.0.0/8,everybody',
    DROVER_BODY_MEMORY_MB: '8',
    DROVER_BODY_SECONDS: '0',
    DROVER_CONNECTIONS_PER_ADDRESS: 'many',
    LOG_LEVEL: 'loud',
    SMTP_URL: 'http://mail',
    SMS_URL: 'sms://gateway',
    MAP_TILES_URL: 'https://tiles.example/style.json fonts.example',
  }
  const mistakes = mistakesOf(given)
  assert.deepEqual(
    mistakes.map((mistake) => mistake.split(' ')[0]),
    Object.keys(given),
  )
  assert.doesNotMatch(mistakes.join(), /secret-/)
})

test('a port is a number up to 65535', () => {
  for (const PORT of ['65536', '-1', '1e3', '0x50']) {
    assert.deepEqual(mistakesOf({ PORT, DROVER_SECRET_KEY: secret }), [
      'PORT must be a number from 0 to 65535.',
    ])
  }
  assert.equal(loadConfig({ PORT: '0', DROVER_SECRET_KEY: secret }).port, 0)
})

test('trusted proxies are addresses and ranges; by default there are none', () => {
  const proxiesOf = (given: string) =>
    loadConfig({ DROVER_TRUSTED_PROXIES: given, DROVER_SECRET_KEY: secret }).trustedProxies
  assert.deepEqual(proxiesOf(''), [])
  assert.throws(() => proxiesOf('10.0.0.0/8,'), ConfigMistakes)
  assert.deepEqual(proxiesOf('10.0.0.0/8, 2001:db8::7'), ['10.0.0.0/8', '2001:db8::7'])
})

test('live mode rejects the public demo secrets', () => {
  assert.deepEqual(
    mistakesOf({ DROVER_LIVE: '1' }).map((mistake) => mistake.replace(/ must be set.*/, '')),
    ['DROVER_OPERATOR_TOKEN', 'DROVER_SECRET_KEY', 'PUBLIC_URL'],
  )
  assert.equal(
    mistakesOf({ NODE_ENV: 'production', DROVER_SECRET_KEY: 'short', DROVER_OPERATOR_TOKEN: 'demo-operator' })
      .length,
    3,
  )
  const PUBLIC_URL = 'https://drover.example'
  const short = {
    DROVER_LIVE: '1',
    PUBLIC_URL,
    DROVER_SECRET_KEY: secret,
    DROVER_OPERATOR_TOKEN: 'ours alone',
  }
  assert.deepEqual(mistakesOf({ ...short, DROVER_ALLOW_PRIVATE_WEBHOOKS: 'true' }), [
    'DROVER_OPERATOR_TOKEN must have at least 16 characters in live mode. Make one with: openssl rand -hex 32',
    'DROVER_ALLOW_PRIVATE_WEBHOOKS is for tests: it must not be set in live mode or with NODE_ENV=production.',
  ])
  assert.equal(loadConfig({ ...short, DROVER_LIVE: '0' }).live, false)
  const config = loadConfig({
    ...short,
    DROVER_OPERATOR_TOKEN: 'c41f7e02b95d83a6',
  })
  assert.equal(config.live, true)
  assert.equal(config.secretKey, secret)
})

test('live mode reports unencrypted connections and weak secrets, all at once', () => {
  const live = {
    DROVER_LIVE: '1',
    PUBLIC_URL: 'https://drover.example',
    DROVER_SECRET_KEY: secret,
    DROVER_OPERATOR_TOKEN: 'c41f7e02b95d83a6',
  }
  const bad = {
    ...live,
    PUBLIC_URL: 'http://drover.example',
    SMS_URL: 'http://user:word@sms.example/messages',
    SMTP_URL: 'smtp://mail.example?from=shop@drover.example',
    DROVER_SECRET_KEY: 'change-me-change-me-change-me-change-me',
    DROVER_OPERATOR_TOKEN: 'drover-operator-1234567890',
  }
  const mistakes = mistakesOf(bad)
  assert.equal(mistakes.length, 5, mistakes.join('\n'))
  assert.match(
    mistakes[0] ?? '',
    /^DROVER_OPERATOR_TOKEN is easy to guess: it holds known words, .+ bits of 64 .+openssl rand -hex 32$/,
  )
  assert.match(mistakes[1] ?? '', /^DROVER_SECRET_KEY is easy to guess: .+ bits of 128 /)
  assert.deepEqual(mistakes.slice(2), [
    'PUBLIC_URL must begin with https:// in live mode, unless it names this machine (localhost, 127.0.0.1).',
    'SMS_URL must begin with https:// in live mode, unless it names this machine (localhost, 127.0.0.1).',
    'SMTP_URL must use TLS in live mode: begin it with smtps://, or end smtp:// with ?requireTLS=true (STARTTLS).',
  ])
  for (const good of [
    { PUBLIC_URL: 'https://drover.example' },
    { PUBLIC_URL: 'http://localhost:8080' },
    { PUBLIC_URL: 'http://[::1]:8080' },
    { SMS_URL: 'http://127.0.0.1:9/messages' },
    { SMTP_URL: 'smtps://mail.example' },
    { SMTP_URL: 'smtp://mail.example?requireTLS=true' },
    { SMTP_URL: 'smtp://user:word@mail.example' },
    { SMTP_URL: 'smtp://127.0.0.1:25' },
  ]) {
    assert.deepEqual(mistakesOf({ ...live, ...good }), [], JSON.stringify(good))
  }
  assert.deepEqual(mistakesOf({ ...bad, DROVER_LIVE: '0' }), [], 'a trial may be as it likes')
})

test('DROVER_LIVE=0 overrides NODE_ENV=production, except for test settings', () => {
  const message = { NODE_ENV: 'production', DROVER_LIVE: '0', DROVER_SECRET_KEY: secret }
  assert.equal(loadConfig(message).live, false)
  assert.match(mistakesOf({ ...message, DROVER_ALLOW_PRIVATE_WEBHOOKS: '1' }).join(), /is for tests/)
  const meant = mistakesOf({ ...message, DROVER_LIVE: 'no' })
  assert.match(meant.join('\n'), /DROVER_LIVE must be 1 or 0\.\nDROVER_OPERATOR_TOKEN must be set/)
})

test('live mode does not start without PUBLIC_URL', () => {
  const live = { DROVER_LIVE: '1', DROVER_SECRET_KEY: secret, DROVER_OPERATOR_TOKEN: 'c41f7e02b95d83a6' }
  assert.match(mistakesOf(live).join(), /^PUBLIC_URL must be set in live mode: .*https:/)
  assert.match(mistakesOf({ ...live, PUBLIC_URL: ' ' }).join(), /^PUBLIC_URL must be set/)
})

test('reading settings without creating a key does not change the home', (t) => {
  const home = join(temporaryHome(t), 'none-yet')
  assert.equal(loadConfig({ DROVER_HOME: home }, { createsKey: false }).secretKey, '')
  assert.equal(existsSync(home), false)
  const { secretKey } = loadConfig({ DROVER_HOME: home })
  assert.equal(loadConfig({ DROVER_HOME: home }, { createsKey: false }).secretKey, secretKey)
})

test('MAP_TILES_URL is one address, followed by every host that it loads from', () => {
  const config = loadConfig({
    DROVER_SECRET_KEY: secret,
    MAP_TILES_URL: 'https://tiles.example/{z}/{x}/{y}.png https://fonts.example https://tiles.example/more',
    MAP_ATTRIBUTION: '© OpenStreetMap contributors',
  })
  assert.deepEqual(config.mapTiles, {
    url: 'https://tiles.example/{z}/{x}/{y}.png',
    origins: ['https://tiles.example', 'https://fonts.example'],
    attribution: '© OpenStreetMap contributors',
  })
  assert.equal(loadConfig({ DROVER_SECRET_KEY: secret }).mapTiles, null)
})

test('the public address follows host and port unless it is given', () => {
  const cases = [
    [{ HOST: '0.0.0.0', PORT: '9000' }, 'http://localhost:9000'],
    [{ HOST: '::1' }, 'http://[::1]:8080'],
    [{ PUBLIC_URL: 'https://drover.example/' }, 'https://drover.example'],
  ] as const
  for (const [env, url] of cases)
    assert.equal(loadConfig({ ...env, DROVER_SECRET_KEY: secret }).publicUrl, url)
})

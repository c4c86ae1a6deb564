import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTraces } from './traces-config.ts'

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector.test:4318/'

test('there are no traces without an endpoint, or when they are switched off', () => {
  const cases = [
    {},
    { OTEL_SERVICE_NAME: 'drover' },
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
  ]
  for (const given of cases) assert.deepEqual(readTraces(given), { traces: null, mistakes: [] })
})

test('an endpoint is enough; all other settings have the specification’s defaults', () => {
  assert.deepEqual(readTraces({ OTEL_EXPORTER_OTLP_ENDPOINT }).traces, {
    url: 'http://collector.test:4318/v1/traces',
    headers: {},
    sampler: 'parentbased_always_on',
    ratio: 1,
    resource: { 'service.name': 'drover' },
    queue: { delayMs: 5_000, maxWaiting: 2_048, maxTogether: 512, timeoutMs: 10_000 },
  })
})

test('settings for traces override those for all signals', () => {
  const { traces } = readTraces({
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.test/take?these=1',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=shops, authorization=Bearer%20one',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=Bearer%20two',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '2000',
    OTEL_SERVICE_NAME: 'deliveries',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production,service.name=other',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.1',
    OTEL_BSP_MAX_QUEUE_SIZE: '100',
  })
  assert.equal(traces?.url, 'https://traces.test/take?these=1')
  assert.deepEqual(traces?.headers, { 'x-team': 'shops', authorization: 'Bearer two' })
  assert.deepEqual(traces?.resource, {
    'service.name': 'deliveries',
    'deployment.environment.name': 'production',
  })
  assert.deepEqual([traces?.sampler, traces?.ratio], ['parentbased_traceidratio', 0.1])
  assert.deepEqual(traces?.queue, { delayMs: 5_000, maxWaiting: 100, maxTogether: 100, timeoutMs: 2_000 })
})

test('a ratio is a number from 0 to 1, and a long text of digits is rejected at once', () => {
  const mistakesOf = (OTEL_TRACES_SAMPLER_ARG: string) =>
    readTraces({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG }).mistakes.length
  for (const good of ['0', '1', '0.25', '.5', '1.0']) assert.equal(mistakesOf(good), 0, good)
  for (const wrong of ['1.', '.', '-1', '1e-1', '1.5']) assert.equal(mistakesOf(wrong), 1, wrong)
  // A regular expression that backtracks over this input would take hours.
  assert.equal(mistakesOf(`${'1'.repeat(3_000_000)}x`), 1)
})

test('every mistake is reported, and no header is repeated', () => {
  const { mistakes } = readTraces({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization Bearer secret-key',
    OTEL_TRACES_SAMPLER: 'xray',
    OTEL_TRACES_SAMPLER_ARG: '1.5',
    OTEL_BSP_SCHEDULE_DELAY: 'soon',
  })
  const named = mistakes.map((mistake) => mistake.split(' ')[0])
  assert.deepEqual(named, [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'OTEL_TRACES_SAMPLER',
    'OTEL_TRACES_SAMPLER_ARG',
    'OTEL_BSP_SCHEDULE_DELAY',
  ])
  assert.ok(!mistakes.join().includes('secret-key'))
})

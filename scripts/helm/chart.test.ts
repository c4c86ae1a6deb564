import assert from 'node:assert/strict'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/config.ts'
import { lintDeploy } from '../lint-deploy.ts'
import { hasHelm, hasValidator, renderChart, renderPlainManifests, validateManifests } from './helm.ts'
import { CHART_SETTINGS } from './values-schema.ts'

const skip = hasHelm()
  ? false
  : 'Helm is not on the PATH. Install Helm 3, or set HELM to its path, to render the chart.'
const PUBLIC_URL = 'https://deliver.shop.example'
const image = { repository: 'registry.example.com/drover', tag: '', digest: '' }
const good = { image, settings: { PUBLIC_URL }, networkPolicy: { wholeNamespace: true } }
const skipValidation =
  skip ||
  (hasValidator() ? false : 'kubectl-validate is not on the PATH: install it, or set KUBECTL_VALIDATE.')
type Values = Readonly<Record<string, unknown>>
// biome-ignore lint/suspicious/noExplicitAny: a manifest of any kind, as Kubernetes would read it.
type Body = Record<string, any>
type Rendered = Body & { kind: string; metadata: { name: string; annotations?: Record<string, string> } }

function render(values: Values, release = 'drover'): { text: string; found: Rendered[] } {
  const rendering = renderChart(release, { ...good, ...values })
  assert.ok(rendering.ok, rendering.ok ? '' : rendering.message)
  const found = parseAllDocuments(rendering.text).map((one) => {
    assert.deepEqual(one.errors, [])
    return one.toJS() as Rendered
  })
  return { text: rendering.text, found }
}

const byKind = (found: readonly Rendered[], kind: string) => found.filter((one) => one.kind === kind)
const get = (found: readonly Rendered[], kind: string, name: string) => {
  const one = byKind(found, kind).find(({ metadata }) => metadata.name === name)
  return one ?? assert.fail(`there is no ${kind} ${name}`)
}

/** What `npm run check` says of these manifests, one file a template. */
function lintRendered(text: string): string[] {
  const files = new Map<string, string>()
  for (const [, path = '', part = ''] of text.matchAll(
    /^---\n# Source: drover\/templates\/(\S+)\n([\s\S]*?)(?=^---$|$(?![\s\S]))/gm,
  ))
    files.set(`kubernetes/${path}`, `${files.get(`kubernetes/${path}`) ?? ''}---\n${part}`)
  const names = [...files.keys()].map((path) => `  - ${path.split('/')[1]}\n`).join('')
  const kustomization = `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: drover\nimages: []\nresources:\n${names}`
  return lintDeploy({
    files: files.set('kubernetes/kustomization.yaml', kustomization),
    settings: new Set(CHART_SETTINGS),
    metrics: new Set(),
    runbook: '',
    dashboard: '',
    version: '',
    exists: existsSync,
  })
}

const scaled = { enabled: true, minReplicas: 3, maxReplicas: 9, targetCPUUtilizationPercentage: 60 }
const VARIANTS: readonly [name: string, values: Values, check: (found: Rendered[]) => void][] = [
  [
    "the least values: the host of PUBLIC_URL has the Ingress, and the version is the chart's",
    {},
    (found) => {
      const { spec } = get(found, 'Ingress', 'drover')
      assert.deepEqual(spec.tls, [{ hosts: ['deliver.shop.example'], secretName: 'drover-tls' }])
      assert.deepEqual(spec.rules[0].http.paths[0].backend.service, {
        name: 'drover-api',
        port: { name: 'http' },
      })
      const { template, replicas } = get(found, 'Deployment', 'drover-api').spec
      const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
      assert.equal(template.spec.containers[0].image, `registry.example.com/drover:${version}`)
      assert.equal(replicas, 2)
      for (const kind of ['HorizontalPodAutoscaler', 'ServiceMonitor', 'Secret'])
        assert.deepEqual(byKind(found, kind), [])
    },
  ],
  [
    'more api processes, on an image by its digest',
    { api: { replicas: 5 }, image: { ...image, digest: `sha256:${'a'.repeat(64)}` } },
    (found) => {
      assert.equal(get(found, 'Deployment', 'drover-api').spec.replicas, 5)
      assert.equal(get(found, 'Deployment', 'drover-worker').spec.replicas, 2)
      const job = get(found, 'Job', 'drover-migrate').spec.template.spec.containers[0]
      assert.equal(job.image, `registry.example.com/drover@sha256:${'a'.repeat(64)}`)
    },
  ],
  [
    'autoscaling sets the replicas of its role alone',
    { api: { autoscaling: scaled, disruptionBudget: { minAvailable: 2 } } },
    (found) => {
      assert.equal(get(found, 'Deployment', 'drover-api').spec.replicas, undefined)
      assert.deepEqual(
        byKind(found, 'HorizontalPodAutoscaler').map(({ spec }) => [
          spec.scaleTargetRef.name,
          spec.maxReplicas,
        ]),
        [['drover-api', 9]],
      )
      assert.equal(get(found, 'PodDisruptionBudget', 'drover-api').spec.minAvailable, 2)
    },
  ],
  [
    'a database behind a pooler in another namespace, and a private SMS gateway',
    {
      networkPolicy: {
        wholeNamespace: true,
        database: { to: [{ namespaceSelector: { matchLabels: { team: 'data' } } }], ports: [5432] },
        extraEgress: [
          { to: [{ ipBlock: { cidr: '192.168.7.0/24' } }], ports: [{ protocol: 'TCP', port: 443 }] },
        ],
      },
    },
    (found) => {
      const [rule] = get(found, 'NetworkPolicy', 'drover-postgresql').spec.egress
      assert.deepEqual(rule.to, [{ namespaceSelector: { matchLabels: { team: 'data' } } }])
      assert.equal(
        get(found, 'NetworkPolicy', 'drover-extra').spec.egress[0].to[0].ipBlock.cidr,
        '192.168.7.0/24',
      )
    },
  ],
  [
    'several hosts share one certificate',
    { ingress: { hosts: ['deliver.shop.example', 'track.shop.example'], className: 'traefik' } },
    (found) => {
      const { spec } = get(found, 'Ingress', 'drover')
      assert.deepEqual(spec.tls[0].hosts, ['deliver.shop.example', 'track.shop.example'])
      assert.deepEqual(
        spec.rules.map(({ host }: { host: string }) => host),
        spec.tls[0].hosts,
      )
      assert.equal(spec.ingressClassName, 'traefik')
    },
  ],
  [
    'without an Ingress a load balancer reaches the service',
    {
      ingress: { enabled: false },
      service: { type: 'LoadBalancer', annotations: { 'example.com/tls': 'on' } },
    },
    (found) => {
      assert.deepEqual(byKind(found, 'Ingress'), [])
      assert.equal(get(found, 'Service', 'drover-api').spec.type, 'LoadBalancer')
    },
  ],
  [
    'with a ServiceMonitor, Prometheus finds each pod once',
    { serviceMonitor: { enabled: true, labels: { release: 'prometheus' } } },
    (found) => {
      const monitor = get(found, 'ServiceMonitor', 'drover')
      const { metadata, spec } = get(found, 'Service', 'drover-metrics') as Rendered & {
        metadata: { labels: Values }
      }
      for (const [name, value] of Object.entries(monitor.spec.selector.matchLabels))
        assert.equal(metadata.labels[name], value)
      assert.equal(spec.ports[0].name, monitor.spec.endpoints[0].port)
      const alerts = readFileSync('deploy/prometheus/alerts.yaml', 'utf8')
      assert.match(alerts, new RegExp(`up\\{job="${metadata.labels[monitor.spec.jobLabel]}"\\} == 0`))
      const { annotations } = get(found, 'Deployment', 'drover-worker').spec.template.metadata
      assert.deepEqual(Object.keys(annotations), ['checksum/settings'])
    },
  ],
  [
    'mail, traces, zones and a registry with a password',
    {
      imagePullSecrets: [{ name: 'registry' }],
      topologyKeys: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'],
      worker: { nodeSelector: { pool: 'work' } },
      networkPolicy: { wholeNamespace: true, mail: { enabled: true }, traces: { enabled: true } },
    },
    (found) => {
      const { spec } = get(found, 'Deployment', 'drover-worker').spec.template
      assert.equal(spec.topologySpreadConstraints.length, 2)
      assert.deepEqual([spec.nodeSelector, spec.imagePullSecrets], [{ pool: 'work' }, [{ name: 'registry' }]])
      get(found, 'NetworkPolicy', 'drover-mail')
      get(found, 'NetworkPolicy', 'drover-traces')
    },
  ],
]

for (const [name, values, check] of VARIANTS) {
  test(`the chart renders safe manifests: ${name}`, { skip }, () => {
    const { text, found } = render(values)
    assert.deepEqual(lintRendered(text), [])
    const weaker = text.replaceAll('readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false')
    assert.equal(lintRendered(weaker).filter((one) => one.includes('readOnlyRootFilesystem')).length, 3)
    check(found)
  })
}

test('an API server would accept what the chart renders', { skip: skipValidation }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'drover-chart-'))
  t.after(() => rmSync(folder, { recursive: true }))
  // An API server without the Prometheus Operator has no ServiceMonitor.
  const write = (name: string, text: string) => {
    const parts = text.split(/^---$/m).filter((part) => part.trim() && !/^kind: ServiceMonitor$/m.test(part))
    writeFileSync(join(folder, name), parts.join('---\n'))
    return join(folder, name)
  }
  const rendered = VARIANTS.map(([, values], index) => write(`${index}.yaml`, render(values).text))
  assert.equal(validateManifests(rendered), '')
  const wrong = write('wrong.yaml', render({}).text.replace('readinessProbe', 'readyProbe'))
  assert.match(validateManifests([wrong]), /readyProbe: Invalid value/)
})

test('Drover accepts the settings that the chart passes on, and a change of them replaces the pods', {
  skip,
}, () => {
  const OTHERS = {
    DROVER_LIVE: true,
    DROVER_CONNECTIONS_PER_ADDRESS: 100_000,
    OTEL_BSP_MAX_QUEUE_SIZE: 2_000_000,
  }
  const ratio = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 0.25 }
  const OTEL = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel.monitoring:4318', ...ratio }
  const before = render({}).found
  const { found } = render({ settings: { PUBLIC_URL, ...OTHERS, ...OTEL } })
  const { data } = get(found, 'ConfigMap', 'drover')
  assert.deepEqual(
    [data.DROVER_CONNECTIONS_PER_ADDRESS, data.OTEL_BSP_MAX_QUEUE_SIZE, data.OTEL_TRACES_SAMPLER_ARG],
    ['100000', '2000000', '0.25'],
  )
  const secret = {
    DATABASE_URL: 'postgres://drover:x@db:5432/drover',
    DROVER_SECRET_KEY: '9f1c7be04a6d2e835b90c4f7a1d86e3250bb7d419ce8f36a',
    DROVER_OPERATOR_TOKEN: '4be19d70c3f58a26e7d0916bb8a2f53c',
  }
  const config = loadConfig({ NODE_ENV: 'production', ...data, ...secret })
  assert.deepEqual(
    [config.publicUrl, config.live, config.limits.perAddress, config.traces?.ratio],
    [PUBLIC_URL, true, 100_000, 0.25],
  )
  const sum = (all: Rendered[]) =>
    get(all, 'Deployment', 'drover-api').spec.template.metadata.annotations['checksum/settings']
  assert.notEqual(sum(found), sum(before))
})

test('the migration before an upgrade has the new settings, which the release does not have yet', {
  skip,
}, () => {
  const { found } = render({ settings: { PUBLIC_URL, LOG_LEVEL: 'debug' } })
  const { metadata, spec } = get(found, 'Job', 'drover-migrate')
  assert.equal(metadata.annotations?.['helm.sh/hook'], 'pre-upgrade')
  const { env, envFrom } = spec.template.spec.containers[0]
  const { data } = get(found, 'ConfigMap', 'drover')
  assert.deepEqual(
    Object.fromEntries(env.map(({ name, value }: { name: string; value: string }) => [name, value])),
    data,
  )
  assert.deepEqual(envFrom, [{ secretRef: { name: 'drover' } }])
  assert.deepEqual(byKind(render({ migration: { enabled: false } }).found, 'Job'), [])
})

test('two releases in one namespace share neither a name nor a pod', { skip }, () => {
  const [one, other] = ['staging', 'drover'].map((release) => render({ networkPolicy: {} }, release).found)
  const names = (all: Rendered[] = []) => all.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  assert.deepEqual(
    names(one).filter((name) => names(other).includes(name)),
    [],
  )
  get(one ?? [], 'Deployment', 'staging-drover-api')
  for (const [all, app] of [
    [one, 'staging-drover'],
    [other, 'drover'],
  ] as const) {
    for (const { metadata, spec } of byKind(all ?? [], 'NetworkPolicy'))
      assert.equal(spec.podSelector.matchLabels.app, app, metadata.name)
  }
})

test('values that would weaken or break a release are rejected before anything is installed', {
  skip,
}, () => {
  const cases: [values: Values, complaint: RegExp][] = [
    [{ image: { repository: '' } }, /Set image\.repository/],
    [{ image: { ...image, tag: 'latest' } }, /not latest/],
    [{ settings: {} }, /Set settings\.PUBLIC_URL/],
    [{ settings: { PUBLIC_URL: 'deliver.shop.example' } }, /\/settings\/PUBLIC_URL/],
    [{ settings: { PUBLIC_URL, SMTP_URL: 'smtps://mail' } }, /additional properties 'SMTP_URL' not allowed/],
    [{ settings: { PUBLIC_URL, DROVER_BODY_SECONDS: 601 } }, /\/settings\/DROVER_BODY_SECONDS/],
    [{ api: { replicas: 1 } }, /\/api\/replicas.*minimum/],
    [{ worker: { replica: 3 } }, /additional properties 'replica' not allowed/],
    [
      { api: { disruptionBudget: { minAvailable: 2 } } },
      /api\.disruptionBudget\.minAvailable must be less than the minimum of 2 pods/,
    ],
    [{ api: { autoscaling: { ...scaled, maxReplicas: 2 } } }, /maxReplicas must be at least minReplicas/],
    [{ networkPolicy: { database: { to: [] } } }, /\/networkPolicy\/database\/to.*minItems/],
    [{ networkPolicy: { requests: { from: [{}] } } }, /\/networkPolicy\/requests\/from\/0/],
    [{ ingress: { hosts: ['https://shop.example'] } }, /\/ingress\/hosts\/0/],
  ]
  for (const [values, complaint] of cases) {
    const rendering = renderChart('drover', { ...good, ...values })
    assert.ok(!rendering.ok, `${JSON.stringify(values)} was accepted`)
    assert.match(rendering.message, complaint)
  }
})

test('the manifests in deploy/kubernetes are those that the chart renders', { skip }, () => {
  for (const [name, text] of renderPlainManifests())
    assert.equal(readFileSync(`deploy/kubernetes/${name}`, 'utf8').replaceAll('\r\n', '\n'), text, name)
  const listed = globSync('deploy/kubernetes/*.yaml').length
  assert.equal(listed, renderPlainManifests().size + 2, 'beside kustomization.yaml and namespace.yaml')
})

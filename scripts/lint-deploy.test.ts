import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { dashboardText } from './dashboard.ts'
import { type DeployFiles, lintDeploy } from './lint-deploy.ts'

const paths = globSync('deploy/**/{*.*,Dockerfile}').map((path) => path.replaceAll('\\', '/'))
const files = new Map(paths.map((path) => [path.slice('deploy/'.length), readFileSync(path, 'utf8')]))
const names = [...[...files.values()].join().matchAll(/\bdrover_[a-z_]+/g)].map(([name]) => name)
const alerts = [...(files.get('prometheus/alerts.yaml') ?? '').matchAll(/alert: (\w+)/g)]
/** The variables that the product reads, as `npm run check` finds them. */
function readSettings(): Set<string> {
  const text = ['src/config.ts', 'src/observability/traces-config.ts']
    .map((path) => readFileSync(path, 'utf8'))
    .join('')
  return new Set([...text.matchAll(/(?:^ {2}|given\.)([A-Z][A-Z_]+)\b/gm)].map(([, name = '']) => name))
}

const good: DeployFiles = {
  files,
  settings: readSettings(),
  metrics: new Set(names.map((name) => name.replace(/_(count|sum|bucket)$/, ''))),
  runbook: alerts.map(([, name]) => `\n## ${name}\n`).join(''),
  dashboard: dashboardText(),
  version: JSON.parse(readFileSync('package.json', 'utf8')).version,
  exists: existsSync,
}

test('the files in deploy pass', () => {
  assert.ok(files.size >= 10)
  assert.deepEqual(lintDeploy(good), [])
})

test('a manifest that would fail on a cluster, or weaken it, is reported', () => {
  const api = 'kubernetes/api.yaml'
  const NETWORK = 'kubernetes/network-policy.yaml'
  const cases: [path: string, from: string | RegExp, to: string, complaint: RegExp][] = [
    [api, 'readinessProbe', 'readyProbe', /[Uu]nrecognized key.*readyProbe/],
    [api, 'readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false', /readOnlyRootFilesystem/],
    [api, 'path: /health/ready', 'path: /healthz', /readinessProbe/],
    [api, 'minAvailable: 1', 'minAvailable: 2', /no disruption budget/],
    [
      api,
      'labels: { app: drover, role: api }\n      annotations',
      'labels: { app: drover }\n      annotations',
      /does not select its pods/,
    ],
    [api, 'name: http, containerPort', 'name: web, containerPort', /no port http/],
    [api, "port: '9091'", "port: '8080'", /metrics at a separate port/],
    [
      NETWORK,
      '  podSelector: {}',
      '  podSelector: { matchLabels: { app: drover } }',
      /denies everything by default/,
    ],
    [NETWORK, 'port: 443', 'port: 22', /https: traffic out at port 22 is not allowed/],
    [NETWORK, '169.254.0.0/16, ', '', /https: it allows 169\.254\.0\.0\/16/],
    [NETWORK, 'port: http', 'port: 5432', /no policy allows traffic in at port http/],
    [NETWORK, / {6}ports:\n {8}- \{ protocol: TCP, port: 443 \}\n/, '', /ports/],
    ['kubernetes/ingress.yaml', 'name: http', 'name: metrics', /routes to the port metrics/],
    [
      'kubernetes/ingress.yaml',
      '- drover.example',
      '- other.example',
      /drover\.example\.com has no certificate/,
    ],
    ['kubernetes/kustomization.yaml', '  - worker.yaml\n', '', /kustomization\.yaml does not name it/],
    ['kubernetes/kustomization.yaml', 'worker.yaml', 'workers.yaml', /there is no workers\.yaml/],
    ['kubernetes/settings.yaml', 'DROVER_LIVE', 'DROVER_ALIVE', /reads no DROVER_ALIVE/],
    ['kubernetes/migrate.yaml', ':0.1.0', ':latest', /names a version/],
    [
      'compose.yaml',
      /\$\{DROVER_SECRET_KEY:[^}]*\}/,
      'hunter2',
      /DROVER_SECRET_KEY has its value in the file/,
    ],
    ['compose.yaml', /^ {4}DROVER_OLD_SECRET_KEYS: .*\n/m, '', /api-1: DROVER_OLD_SECRET_KEYS is not passed/],
    ['compose.yaml', 'postgres:17', 'postgres', /names no version/],
    ['compose.yaml', 'worker-2: *worker', '', /fewer than two processes of worker/],
    ['compose.yaml', 'source: proxy', 'source: nginx', /no config nginx/],
    ['compose.yaml', '$$proxy_add_x_forwarded_for', '$$remote_addr', /drops the client addresses/],
    ['compose.yaml', /:\+,\$\{DROVER_TRUSTED_PROXIES\}/, ':-', /of the environment is not added/],
    ['Dockerfile', 'USER 1000:1000', 'USER root', /a user with a number/],
    ['Dockerfile', 'COPY package.json', 'COPY packages.json', /packages.json does not exist/],
    ['Dockerfile', '--from=made', '--from=make', /no stage make/],
    ['Dockerfile', '["node", ', 'node ', /JSON array/],
    ['Dockerfile', 'node:24.21-bookworm-slim AS made', 'node AS made', /names no minor version/],
    ['Dockerfile', ' --ignore-scripts', '', /--ignore-scripts/],
    [
      'prometheus/alerts.yaml',
      'drover_work_dead_lettered',
      'drover_work_stuck',
      /exports no drover_work_stuck/,
    ],
    ['prometheus/alerts.yaml', 'alert: DroverSlow', 'alert: DroverSlower', /no section DroverSlower/],
    ['prometheus/alerts.yaml', 'for: 10m', 'for: 10 minutes', /for: /],
    ['patroni/patroni.yml', 'synchronous_mode: true', 'synchronous_mode: false', /loses commits/],
    ['patroni/patroni.yml', 'retry_timeout: 3', 'retry_timeout: 10', /ttl must be/],
    ['patroni/patroni.yml', 'create-drover.sh', 'make-drover.sh', /no make-drover/],
    ['patroni/patroni.yml', 'scope: drover', 'password: hunter2', /from the environment/],
    ['patroni/create-drover.sh', 'set -eu', '', /set -eu/],
    [
      'helm/drover/Chart.yaml',
      'appVersion: 0.1.0',
      'appVersion: 0.0.9',
      /version is 0\.0\.9, but package\.json/,
    ],
    ['helm/drover/values.yaml', "  LOG_LEVEL: ''\n", '', /values\.yaml: settings\.LOG_LEVEL/],
    [
      'helm/drover/values.yaml',
      'settings:',
      'settings:\n  SMTP_URL: smtp://x',
      /[Uu]nrecognized key.*SMTP_URL/,
    ],
    ['helm/drover/values.yaml', '- ipBlock: { cidr: 10.0.0.0/8 }', '- {}', /networkPolicy\.database\.to/],
    [
      'helm/drover/values.schema.json',
      '"minimum": 28',
      '"minimum": 1',
      /values\.schema\.json is out of date/,
    ],
    ['helm/drover/templates/_pods.tpl', 'drop: [ALL]', 'drop: []', /kubernetes\.sha256 is out of date/],
    [api, 'periodSeconds: 10', 'periodSeconds: 20', /kubernetes\.sha256 is out of date/],
    ['grafana/drover.generated.json', '"Drover"', '"Drovers"', /build-dashboard/],
  ]
  for (const [path, from, to, complaint] of cases) {
    const text = files.get(path) ?? ''
    const changed = text.replace(from, to)
    assert.notEqual(changed, text, `${from} is not in ${path}`)
    const complaints = lintDeploy({ ...good, files: new Map([...files, [path, changed]]) })
    assert.ok(
      complaints.some((one) => complaint.test(one)),
      `${from} → ${to}: ${complaints.join('; ') || 'nothing'}`,
    )
  }
  assert.match(
    lintDeploy({ ...good, files: new Map([['nomad.hcl', '']]) }).join(),
    /no rule checks this file/,
  )
})

test('a new setting is a value of the chart or a key of its secret, or the check is red', () => {
  const [wrong, ...others] = lintDeploy({
    ...good,
    files: new Map([...files].filter(([path]) => path.startsWith('helm/'))),
    settings: new Set([...good.settings, 'DROVER_NEW_SETTING']),
  }).filter((one) => one.includes('DROVER_NEW_SETTING'))
  assert.match(
    wrong ?? '',
    /DROVER_NEW_SETTING is in neither CHART_SETTINGS, SECRET_SETTINGS nor FIXED_SETTINGS/,
  )
  assert.deepEqual(others, [])
  const fewer = new Set([...good.settings].filter((name) => name !== 'SMS_URL'))
  assert.match(lintDeploy({ ...good, settings: fewer }).join(), /Drover doesn’t read SMS_URL: remove it/)
})

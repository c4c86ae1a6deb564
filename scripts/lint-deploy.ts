import { parse, parseAllDocuments } from 'yaml'
import type { z } from 'zod'
import { Alerts, Compose, type Deployment, Manifest } from './deploy-schemas.ts'
import { lintChart } from './helm/lint-chart.ts'
import { FIXED_SETTINGS } from './helm/values-schema.ts'
import { lintDockerfile } from './lint-dockerfile.ts'
import { lintIngress, lintNetwork } from './lint-network.ts'

export type DeployFiles = {
  /** Text by path below deploy/. */
  files: ReadonlyMap<string, string>
  /** The variables that the product reads. */
  settings: ReadonlySet<string>
  /** The metrics that it exports. */
  metrics: ReadonlySet<string>
  runbook: string
  dashboard: string
  /** The product's, which the chart installs. */
  version: string
  /** Whether the project has this file or folder. */
  exists(path: string): boolean
}

/** Mistakes in deploy/, one sentence each. Works offline, so it checks no registry and no cluster. */
export function lintDeploy(given: DeployFiles): string[] {
  const kubernetes = [...given.files].filter(([path]) => /^kubernetes\/.*\.yaml$/.test(path))
  const network =
    kubernetes.length === 0 ? [] : lintNetwork(kubernetes.flatMap(([, text]) => readManifests(text).found))
  const hasChart = given.files.has('helm/drover/Chart.yaml')
  const complaints = [...given.files].flatMap(([path, text]) => {
    const rule = RULES.find(([pattern]) => pattern.test(path))
    if (!rule) return [`deploy/${path}: no rule checks this file`]
    return rule[1](text, given, path).map((complaint) => `deploy/${path}: ${complaint}`)
  })
  return [
    ...complaints,
    ...network.map((complaint) => `deploy/kubernetes: ${complaint}`),
    ...(hasChart ? lintChart(given.files, given.settings, given.version) : []),
  ]
}

type Rule = (text: string, given: DeployFiles, path: string) => string[]

const RULES: readonly (readonly [RegExp, Rule])[] = [
  [/^kubernetes\/kustomization\.yaml$/, kustomization],
  [/^kubernetes\/.*\.yaml$/, manifests],
  // lintChart reads these together; Helm itself reads the templates, in scripts/helm/chart.test.ts.
  [/^helm\//, () => []],
  [/^compose\.yaml$/, (text, given) => [...compose(text, given), ...rolesTwice(text)]],
  [/^citus\/compose\.yaml$/, compose],
  [
    /^(citus\/)?Dockerfile$/,
    (text, { files, exists }, path) => lintDockerfile(text, files.get(`${path}.dockerignore`) ?? '', exists),
  ],
  [
    /^(citus\/)?Dockerfile\.dockerignore$/,
    (text) => (text.startsWith('**\n') ? [] : ['begin with ** and list the needed files']),
  ],
  [/^systemd\/.*\.service$/, systemd],
  [/^patroni\/patroni\.yml$/, patroni],
  [
    /^(patroni|citus)\/.*\.sh$/,
    (text) => (/^#!\/bin\/sh\n[\s\S]*^set -eu$/m.test(text) ? [] : ['begin with #!/bin/sh, and set -eu']),
  ],
  [/^prometheus\/alerts\.yaml$/, alerts],
  [/^prometheus\/prometheus\.yaml$/, (text) => mistakesOf(() => parse(text))],
  [/^grafana\/drover\.generated\.json$/, dashboard],
]

function kustomization(text: string, { files }: DeployFiles): string[] {
  const { found, wrong } = readManifests(text)
  const missing = found.flatMap((one) =>
    one.kind === 'Kustomization' ? one.resources.filter((name) => !files.has(`kubernetes/${name}`)) : [],
  )
  return [...wrong, ...missing.map((name) => `there is no ${name}`)]
}

function manifests(text: string, { settings, files }: DeployFiles, path: string): string[] {
  const { found, wrong } = readManifests(text)
  const listed = files.get('kubernetes/kustomization.yaml') ?? ''
  const once = found.every(({ kind }) => kind === 'Job')
  if (!once && !listed.includes(`- ${path.split('/')[1]}\n`))
    wrong.push('kustomization.yaml does not name it')
  const isMonitored = [...files].some(
    ([name, one]) => name.startsWith('kubernetes/') && /^kind: ServiceMonitor$/m.test(one),
  )
  for (const one of found) {
    if (one.kind === 'ConfigMap') wrong.push(...unsuitable(one.data, settings))
    if (one.kind === 'Deployment') wrong.push(...deployment(one, found, isMonitored))
    if (one.kind === 'Ingress') wrong.push(...lintIngress(one))
    if (one.kind === 'Job' && /:latest$|^[^:]+$/.test(one.spec.template.spec.containers[0].image)) {
      wrong.push('the image of a job names a version')
    }
  }
  return wrong
}

/** `isMonitored`: Prometheus finds the pods by a ServiceMonitor, not by annotations. */
function deployment(
  { metadata, spec }: Deployment,
  beside: readonly Manifest[],
  isMonitored: boolean,
): string[] {
  const wrong: string[] = []
  const { labels } = spec.template.metadata
  const selects = (wanted: Record<string, string>) =>
    Object.entries(wanted).every(([name, value]) => labels[name] === value)
  if (!selects(spec.selector.matchLabels))
    wrong.push(`the selector of ${metadata.name} does not select its pods`)
  const budget = beside.find((one) => one.kind === 'PodDisruptionBudget')
  const scaler = beside.find((one) => one.kind === 'HorizontalPodAutoscaler')
  const fewest = spec.replicas ?? scaler?.spec.minReplicas ?? 1
  if (scaler && (spec.replicas || scaler.spec.scaleTargetRef.name !== metadata.name))
    wrong.push(`its autoscaler does not set the replicas of ${metadata.name}`)
  if (!budget || !selects(budget.spec.selector.matchLabels) || budget.spec.minAvailable >= fewest) {
    wrong.push(`${metadata.name} has no disruption budget that lets one of its pods go`)
  }
  const [container] = spec.template.spec.containers
  const ports = new Set(container.ports?.map(({ name }) => name))
  for (const probe of [container.startupProbe, container.readinessProbe, container.livenessProbe]) {
    if (!probe) wrong.push(`${metadata.name} lacks a probe`)
    else if (!ports.has(probe.httpGet.port)) wrong.push(`${metadata.name} has no port ${probe.httpGet.port}`)
  }
  const metrics = container.ports?.find(({ name }) => name === 'metrics')?.containerPort
  const scraped = spec.template.metadata.annotations?.['prometheus.io/port']
  if (!metrics || (isMonitored ? scraped !== undefined : scraped !== `${metrics}`))
    wrong.push(`${metadata.name} does not serve its metrics at a separate port`)
  const service = beside.find((one) => one.kind === 'Service')
  if (service && !selects(service.spec.selector)) wrong.push(`its service does not select ${metadata.name}`)
  return wrong
}

function compose(text: string, { settings }: DeployFiles): string[] {
  const { data, wrong } = checked(Compose, () => parse(text, { merge: true }))
  if (!data) return wrong
  const { services, configs, volumes } = data
  for (const [
    name,
    { image, environment = {}, depends_on = {}, configs: used = [], ...service },
  ] of Object.entries(services)) {
    if (!service.build && !/:\d/.test(image)) wrong.push(`${name}: ${image} names no version`)
    if (image === 'drover')
      wrong.push(...unsuitable(environment, settings), ...missingSettings(name, environment, settings))
    for (const [variable, value] of Object.entries(environment)) {
      if (SECRET.test(variable) && value !== '' && !value.includes('$' + '{'))
        wrong.push(`${name}: ${variable} has its value in the file`)
    }
    for (const other of Object.keys(depends_on))
      if (!services[other]) wrong.push(`${name}: there is no ${other}`)
    const trusted = environment.DROVER_TRUSTED_PROXIES
    if (trusted !== undefined && !ADDS_TRUSTED.test(trusted))
      wrong.push(`${name}: DROVER_TRUSTED_PROXIES of the environment is not added`)
    for (const { source } of used) if (!configs[source]) wrong.push(`${name}: there is no config ${source}`)
    for (const volume of service.volumes ?? []) {
      if (!(volume.split(':')[0]! in volumes)) wrong.push(`${name}: there is no volume ${volume}`)
    }
  }
  for (const [name, { content }] of Object.entries(configs)) {
    if (/X-Forwarded-For (?!\$\$proxy_add_x_forwarded_for;)/.test(content))
      wrong.push(`${name}: it drops the client addresses that an earlier proxy forwarded`)
  }
  return wrong
}

function rolesTwice(text: string): string[] {
  const { data } = checked(Compose, () => parse(text, { merge: true }))
  const commands = Object.values(data?.services ?? {}).map(({ command }) => command?.[0])
  return ['api', 'worker']
    .filter((role) => commands.filter((one) => one === role).length < 2)
    .map((role) => `fewer than two processes of ${role}`)
}

/** Patroni's own rules for its times, and what Drover needs: no commit is lost, no password stands in the file. */
function patroni(text: string, { files }: DeployFiles): string[] {
  const mistakes = mistakesOf(() => parse(text))
  if (mistakes.length > 0) return mistakes
  const { bootstrap } = parse(text)
  const { ttl, loop_wait, retry_timeout, synchronous_mode } = bootstrap?.dcs ?? {}
  const script = String(bootstrap?.post_bootstrap).split('/').at(-1)
  return [
    ...(synchronous_mode === true
      ? []
      : ['synchronous_mode must be true: otherwise a failover loses commits']),
    ...(ttl >= 20 && loop_wait + 2 * retry_timeout <= ttl
      ? []
      : ['ttl must be 20 at least, and loop_wait + 2 × retry_timeout']),
    ...(files.has(`patroni/${script}`) ? [] : [`there is no ${script}`]),
    ...(/password/i.test(text.replace(/^ *#.*$/gm, '')) ? ['passwords come from the environment'] : []),
  ]
}

/** A unit that lets a process write or run as root, or kills it before it has stopped (20 s), is a bad example. */
function systemd(text: string): string[] {
  const needed = ['EnvironmentFile=', 'DynamicUser=yes', 'NoNewPrivileges=yes', 'ProtectSystem=strict']
  const restart = ['Restart=always', 'TimeoutStopSec=30', 'WantedBy=multi-user.target']
  return [...needed, ...restart]
    .filter((line) => !text.split('\n').some((one) => one.startsWith(line)))
    .map((line) => `it lacks ${line}`)
}

/** Added after a comma; neither is added when the variable is empty. */
const ADDS_TRUSTED = /\$\{DROVER_TRUSTED_PROXIES:\+,\$\{DROVER_TRUSTED_PROXIES\}\}$/

const SECRET = /PASSWORD|TOKEN|SECRET|DATABASE_URL|SM(S|TP)_URL/

/** A setting that the file does not pass has no effect, although it is set in .env. */
function missingSettings(
  service: string,
  environment: Record<string, string>,
  settings: ReadonlySet<string>,
): string[] {
  const missing = [...settings].filter((name) => !FIXED_SETTINGS.includes(name) && !(name in environment))
  return missing.map((name) => `${service}: ${name} is not passed`)
}

function unsuitable(environment: Record<string, string>, settings: ReadonlySet<string>): string[] {
  const unknown = Object.keys(environment).filter((name) => !settings.has(name))
  return unknown.map((name) => `the product reads no ${name}`)
}

function alerts(text: string, { metrics, runbook }: DeployFiles): string[] {
  const { data, wrong } = checked(Alerts, () => parse(text))
  for (const { alert, expr } of data?.groups.flatMap(({ rules }) => rules) ?? []) {
    if (!runbook.includes(`\n## ${alert}\n`)) wrong.push(`docs/operations/runbook.md has no section ${alert}`)
    wrong.push(...unknownMetrics(expr, metrics).map((name) => `${alert}: the product exports no ${name}`))
  }
  return wrong
}

function dashboard(text: string, given: DeployFiles): string[] {
  const stale = text === given.dashboard ? [] : ['run node scripts/build-dashboard.ts']
  return [...stale, ...unknownMetrics(text, given.metrics).map((name) => `the product exports no ${name}`)]
}

function unknownMetrics(text: string, metrics: ReadonlySet<string>): string[] {
  const named = text.match(/\bdrover_\w+/g) ?? []
  return [...new Set(named)].filter((name) => !metrics.has(name.replace(/_(count|sum|bucket)$/, '')))
}

function readManifests(text: string): { found: Manifest[]; wrong: string[] } {
  const read = parseAllDocuments(text).map((document) =>
    checked(Manifest, () => {
      if (document.errors[0]) throw document.errors[0]
      return document.toJS()
    }),
  )
  return {
    found: read.flatMap(({ data }) => data ?? []),
    wrong: read.flatMap(({ wrong }) => wrong),
  }
}

function checked<T>(schema: z.ZodType<T>, read: () => unknown): { data: T | null; wrong: string[] } {
  let value: unknown
  const wrong = mistakesOf(() => {
    value = read()
  })
  if (wrong.length > 0) return { data: null, wrong }
  const { success, data, error } = schema.safeParse(value)
  if (success) return { data, wrong: [] }
  return { data: null, wrong: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) }
}

function mistakesOf(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

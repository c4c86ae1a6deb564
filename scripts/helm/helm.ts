import { spawnSync } from 'node:child_process'
import { CHART, PLAIN_MANIFESTS, PLAIN_VALUES, toPlainManifest } from './plain-manifests.ts'

const PROGRAM = process.env.HELM ?? 'helm'
const VALIDATOR = process.env.KUBECTL_VALIDATE ?? 'kubectl-validate'
/** Of the cluster that Helm renders for. A Helm built from source would assume 1.20. */
const KUBERNETES = '1.34.0'

/** Whether Helm is on the PATH, or where HELM says. */
export function hasHelm(): boolean {
  return spawnSync(PROGRAM, ['version']).status === 0
}

/** Whether kubectl-validate is on the PATH, or where KUBECTL_VALIDATE says. */
export function hasValidator(): boolean {
  return spawnSync(VALIDATOR, ['--help']).status === 0
}

/** What an API server of Kubernetes 1.30 finds wrong with the manifests in these files; empty if it would accept them. */
export function validateManifests(paths: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(VALIDATOR, ['--version', '1.30', ...paths], {
    encoding: 'utf8',
  })
  return status === 0 ? '' : `${stdout}${stderr}`
}

type Rendering = { ok: true; text: string } | { ok: false; message: string }

/** `helm template` of the chart with these values over its own; `options` are those of the command. */
export function renderChart(release: string, values: object, ...options: string[]): Rendering {
  const { status, stdout, stderr, error } = spawnSync(
    PROGRAM,
    ['template', release, `deploy/${CHART}`, '--values', '-', '--kube-version', KUBERNETES, ...options],
    { input: JSON.stringify(values), encoding: 'utf8' },
  )
  if (error)
    return { ok: false, message: `${PROGRAM} cannot be run (${error.message}): set HELM to its path.` }
  return status === 0 ? { ok: true, text: stdout } : { ok: false, message: stderr }
}

/** The files of deploy/kubernetes that the chart makes, by name. Throws Helm's own message. */
export function renderPlainManifests(): ReadonlyMap<string, string> {
  return new Map(
    PLAIN_MANIFESTS.map((name) => {
      const rendering = renderChart('drover', PLAIN_VALUES, '--show-only', `templates/${name}`)
      if (!rendering.ok) throw new Error(rendering.message)
      return [name, toPlainManifest(rendering.text)]
    }),
  )
}

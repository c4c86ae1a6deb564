import { createHash } from 'node:crypto'

/** The templates that build-kubernetes.ts renders into deploy/kubernetes, by file name. */
export const PLAIN_MANIFESTS = [
  'api.yaml',
  'ingress.yaml',
  'migrate.yaml',
  'network-policy-mail.yaml',
  'network-policy-traces.yaml',
  'network-policy.yaml',
  'settings.yaml',
  'worker.yaml',
] as const

/** Examples in place of what an operator sets. All that differs from values.yaml. */
export const PLAIN_VALUES = {
  plainManifests: true,
  image: { repository: 'registry.example.com/drover' },
  settings: { PUBLIC_URL: 'https://drover.example.com' },
  networkPolicy: { wholeNamespace: true, mail: { enabled: true }, traces: { enabled: true } },
}

export const CHART = 'helm/drover'
/** What `sha256sum -c` reads, from the project's root. */
export const CHECKSUMS = 'helm/kubernetes.sha256'

const HEADER = [
  '# Generated from deploy/helm/drover by scripts/build-kubernetes.ts: change the chart and run the script.',
  '# In your own copy, edit this file as you like.',
  '#',
]

/** One template's output by `helm template`, as a file of deploy/kubernetes. */
export function toPlainManifest(rendered: string): string {
  const lines = rendered
    .split('\n')
    .filter((line) => !line.startsWith('# Source: '))
    .map((line) => line.trimEnd())
  const body = lines
    .join('\n')
    .replace(/^(---\n|\n)+/, '')
    .trimEnd()
  return `${HEADER.join('\n')}\n${body}\n`
}

/**
 * The checksums of the chart's files and of the manifests rendered from them. Where Helm is not installed, they show that
 * neither was changed without the other. `files`: text by path below deploy/.
 */
export function renderChecksums(files: ReadonlyMap<string, string>): string {
  const listed = [...files.keys()].filter(
    (path) => path.startsWith(`${CHART}/`) || PLAIN_MANIFESTS.some((name) => path === `kubernetes/${name}`),
  )
  return listed
    .sort()
    .map((path) => `${sha256(files.get(path) ?? '')}  deploy/${path}\n`)
    .join('')
}

/** A checkout on Windows may have other line ends. */
function sha256(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
}

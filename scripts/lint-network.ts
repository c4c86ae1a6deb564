import type { Ingress, Manifest, NetworkPolicy } from './deploy-schemas.ts'

/** Allowed outbound ports: DNS, PostgreSQL, HTTPS (8443 for webhooks), mail submission, OTLP over HTTP. */
const ALLOWED_EGRESS_PORTS: ReadonlySet<number | string> = new Set([53, 5432, 443, 8443, 465, 587, 4318])
/** The address where clouds serve a machine's credentials (169.254.169.254); ranges must exclude it. */
const METADATA = '169.254.0.0/16'
/** The pods' ports that accept inbound traffic. */
const ALLOWED_INGRESS_PORTS: ReadonlySet<number | string> = new Set(['http', 'metrics'])

/** Mistakes in the pods' network policies, one sentence each: only named traffic may go in or out. */
export function lintNetwork(manifests: readonly Manifest[]): string[] {
  const policies = manifests.filter((one) => one.kind === 'NetworkPolicy')
  return [
    ...(policies.some(isDenyAll) ? [] : ['no policy denies everything by default']),
    ...policies.flatMap(lintPolicy),
    ...['http', 'metrics'].flatMap((port) =>
      policies.some(({ spec }) => spec.ingress?.some(({ ports }) => ports.some((one) => one.port === port)))
        ? []
        : [`no policy allows traffic in at port ${port}`],
    ),
  ]
}

function isDenyAll({ spec }: NetworkPolicy): boolean {
  const both = spec.policyTypes.includes('Ingress') && spec.policyTypes.includes('Egress')
  return both && Object.keys(spec.podSelector).length === 0 && !spec.ingress && !spec.egress
}

function lintPolicy({ metadata: { name }, spec }: NetworkPolicy): string[] {
  const out = (spec.egress ?? []).flatMap(({ to, ports }) => [
    ...ports.flatMap(({ port }) =>
      ALLOWED_EGRESS_PORTS.has(port) ? [] : [`${name}: traffic out at port ${port} is not allowed`],
    ),
    ...to.flatMap((peer) =>
      'ipBlock' in peer && peer.ipBlock.cidr === '0.0.0.0/0' && !peer.ipBlock.except?.includes(METADATA)
        ? [`${name}: it allows ${METADATA}`]
        : [],
    ),
  ])
  const into = (spec.ingress ?? []).flatMap(({ ports }) =>
    ports.flatMap(({ port }) =>
      ALLOWED_INGRESS_PORTS.has(port) ? [] : [`${name}: traffic in at port ${port} is not allowed`],
    ),
  )
  return [...out, ...into]
}

/** The ingress must use TLS and route to the port for requests, not to the port for metrics. */
export function lintIngress({ metadata: { name }, spec }: Ingress): string[] {
  const secured = new Set(spec.tls.flatMap(({ hosts }) => hosts))
  return spec.rules.flatMap(({ host, http: { paths } }) => [
    ...(secured.has(host) ? [] : [`${name}: ${host} has no certificate`]),
    ...paths.flatMap(({ backend: { service } }) =>
      service.port.name === 'http' ? [] : [`${name}: it routes to the port ${service.port.name}`],
    ),
  ])
}

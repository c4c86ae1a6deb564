import ipaddr from 'ipaddr.js'
import type { Finding } from '../cli/deps.ts'
import { type Config, isLoopback, knownSettings } from '../config.ts'
import { nearest } from '../domain/text/nearest.ts'
import { fileDescriptors } from '../operations/concurrency/file-descriptors.ts'
import { toServerUrls } from '../store/db/servers.ts'
import { note, wrong } from './finding.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Settings that Drover can start with and that are probably not what was meant. Drover's start logs them as warnings.
 */
export function checkSettings(config: Config, env: Env): Finding[] {
  return [
    ...checkUnknownSettings(env),
    ...checkPublicUrl(config),
    ...checkTrustedProxies(config),
    ...checkDatabaseTls(config, env),
    ...checkMetricsPort(config),
    ...checkDescriptors(),
  ]
}

/** Variables that begin with DROVER_ and that Drover doesn't read, each with the setting that was probably meant. */
export function checkUnknownSettings(env: Env): Finding[] {
  const known = knownSettings()
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith(PREFIX) && !known.includes(name) && !isServiceLink(name, env),
  )
  return unknown.sort().map((name) => {
    const meant = meantSetting(name, known)
    return wrong(
      'environment',
      `Drover doesn't know the variable ${name}, so it has no effect.`,
      meant ? `Did you mean ${meant}?` : 'Remove it. The README lists all settings.',
    )
  })
}

const PREFIX = 'DROVER_'

/** `DROVER_SMTP_URL` means `SMTP_URL`: some settings have no prefix. */
function meantSetting(name: string, known: readonly string[]): string | null {
  const bare = name.slice(PREFIX.length)
  return known.includes(bare) ? bare : (nearest(name, known) ?? nearest(bare, known))
}

/** Kubernetes gives each pod the addresses of the services beside it: those of one called `drover` have our prefix. */
function isServiceLink(name: string, env: Env): boolean {
  return env.KUBERNETES_SERVICE_HOST !== undefined && SERVICE_LINK.test(name)
}

const SERVICE_LINK =
  /_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/

/** A process has 1,024 by default on most systems; below that, a busy proxy meets the limit of connections. */
const FEW_DESCRIPTORS = 1_024

/** The limit of open files, of which each connection uses one. */
export function checkDescriptors(descriptors = fileDescriptors()): Finding[] {
  if (descriptors >= FEW_DESCRIPTORS) return []
  return [
    note(
      'open files',
      `This process may open ${descriptors} files at once, and each connection uses one.`,
      `Raise the limit to ${FEW_DESCRIPTORS} or more: LimitNOFILE= in systemd, nofile in Docker, ulimit -n in a shell.`,
    ),
  ]
}

function checkPublicUrl({ live, publicUrl }: Config): Finding[] {
  if (!live || !isLoopback(new URL(publicUrl).hostname)) return []
  return [
    wrong(
      'public address',
      `Links for customers begin with ${publicUrl}, which only this machine can open.`,
      'Set PUBLIC_URL to an address that customers can open.',
    ),
  ]
}

/** The widest ranges that are set aside for private networks: 10.0.0.0/8 and fc00::/7. */
const MIN_BITS = { ipv4: 8, ipv6: 7 }
/** `::ffff:0:0/96` holds all of IPv4. */
const MAPPED_BITS = 96

function checkTrustedProxies({ trustedProxies }: Config): Finding[] {
  return trustedProxies
    .filter(isTooWide)
    .map((range) =>
      wrong(
        'trusted proxies',
        `DROVER_TRUSTED_PROXIES has ${range}, which is too wide: callers in it can forge their address with X-Forwarded-For.`,
        "Name only your proxies' own addresses, such as 10.0.0.0/8.",
      ),
    )
}

function isTooWide(range: string): boolean {
  if (!range.includes('/')) return false
  const [address, bits] = ipaddr.parseCIDR(range)
  if (address.kind() === 'ipv4') return bits < MIN_BITS.ipv4
  const holdsIpv4 = range.startsWith('::') && bits < MAPPED_BITS + MIN_BITS.ipv4
  return bits < MIN_BITS.ipv6 || holdsIpv4
}

/** How node-postgres reads `sslmode`; with every other value, or without one, it connects without TLS. */
const TLS_MODES = ['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

function checkDatabaseTls(config: Config, env: Env): Finding[] {
  const urls = {
    DATABASE_URL: config.databaseUrl,
    DATABASE_DIRECT_URL: config.databaseDirectUrl,
    DATABASE_READ_URL: config.databaseReadUrl,
  }
  return Object.entries(urls).flatMap(([name, url]) =>
    url === null ? [] : toServerUrls(url).flatMap((one) => checkTls(name, one, env)),
  )
}

function checkTls(name: string, url: string, env: Env): Finding[] {
  const { hostname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  const mode = searchParams.get('sslmode') ?? env.PGSSLMODE ?? ''
  const usesTls = TLS_MODES.includes(mode) || ['1', 'true'].includes(searchParams.get('ssl') ?? '')
  if (usesTls || host === '' || host.startsWith('/') || isLoopback(host)) return []
  const message = `The connection to the database at ${host} is not encrypted: anyone on the network path can read customers' data.`
  const remedy = `Add ?sslmode=verify-full to ${name}, and switch on TLS at the server.`
  // A name without a dot is a container beside this one.
  return [/[.:]/.test(host) ? wrong('database TLS', message, remedy) : note('database TLS', message, remedy)]
}

function checkMetricsPort({ live, metricsPort }: Config): Finding[] {
  if (!live || metricsPort !== null) return []
  const message = 'Anyone who can send requests can read /metrics.'
  return [note('metrics', message, 'Set METRICS_PORT to a port that only you can reach.')]
}

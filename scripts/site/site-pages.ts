/**
 * What the documentation site shows, in the order of its sidebar. A file named here is a page; `label` is its name in the
 * sidebar where its title is too long for it.
 */
export const SIDEBAR: readonly SiteGroup[] = [
  {
    label: 'Start',
    files: [
      { file: 'site/pages/index.md', label: 'Drover in one minute' },
      { file: 'site/pages/start.md', label: 'Five-minute start' },
      { file: 'site/pages/double-bookings.md', label: 'How Drover prevents double bookings' },
      { file: 'site/pages/comparison.md', label: 'Comparison' },
    ],
  },
  {
    label: 'Set up',
    files: [
      { file: 'site/pages/connect-your-shop.md' },
      { file: 'site/pages/your-couriers.md', label: 'Run your own couriers' },
      { file: 'site/pages/add-a-carrier.md', label: 'Add a carrier' },
      { file: 'site/pages/operate.md', label: 'Operate it' },
      { file: 'site/pages/settings.md' },
    ],
  },
  {
    label: 'For your shop’s system',
    files: [
      { file: 'docs/guides/quotes.md' },
      { file: 'docs/guides/booking-links.md' },
      { file: 'docs/guides/manifests.md' },
      { file: 'docs/guides/webhooks.md' },
      { file: 'clients/typescript/README.md', label: 'TypeScript client' },
      { file: 'clients/python/README.md', label: 'Python client' },
      { file: 'docs/guides/mcp.md' },
    ],
  },
  {
    label: 'For your account',
    files: [
      { file: 'docs/guides/portal.md' },
      { file: 'docs/guides/accounts-as-code.md' },
      { file: 'docs/guides/people.md' },
      { file: 'docs/guides/messages.md' },
    ],
  },
  {
    label: 'Carriers',
    files: [
      { file: 'docs/carriers.md' },
      { file: 'docs/guides/real-carriers.md' },
      { file: 'docs/guides/courier-networks.md' },
      { file: 'docs/guides/local-couriers.md' },
      { file: 'docs/guides/own-couriers.md' },
      { file: 'docs/guides/writing-a-carrier.md' },
      { file: 'docs/guides/fakes.md', label: 'Fakes' },
    ],
  },
  {
    label: 'Operations',
    files: [
      { file: 'docs/operations/install.md' },
      { file: 'docs/operations/upgrade.md' },
      { file: 'docs/operations/backup.md' },
      { file: 'docs/operations/runbook.md' },
      { file: 'docs/operations/security.md' },
      { file: 'docs/operations/scale.md' },
      { file: 'docs/operations/archive.md' },
      { file: 'docs/operations/partitions.md' },
      { file: 'docs/operations/citus.md' },
      { file: 'docs/operations/fail-over.md' },
      { file: 'docs/operations/tracing.md' },
    ],
  },
  {
    label: 'How it is tested',
    files: [
      { file: 'docs/operations/proof.md' },
      { file: 'docs/operations/chaos.md' },
      { file: 'docs/operations/fuzz.md' },
      { file: 'docs/operations/day.md' },
      { file: 'docs/operations/bench.md' },
      { file: 'docs/operations/clients.md' },
      { file: 'docs/operations/statements.md' },
    ],
  },
  {
    label: 'The project',
    files: [
      { file: 'CHANGELOG.md' },
      { file: 'docs/glossary.md' },
      { file: 'ARCHITECTURE.md' },
      { file: 'docs/state-diagrams.md' },
      { file: 'docs/interface-coverage.md' },
      { file: 'docs/decisions/README.md' },
      { file: 'CONTRIBUTING.md' },
      { file: 'STYLE.md' },
      { file: 'SECURITY.md', label: 'Reporting a vulnerability' },
    ],
  },
]

export type SiteGroup = { label: string; files: readonly { file: string; label?: string }[] }

/** Pages that links lead to, but that are too many for the sidebar. */
export const UNLISTED = /^docs\/decisions\/\d{4}-.*\.md$/

/** Pages that the search leaves out: they have every word, and would hide the guides. */
export const NOT_SEARCHED =
  /^(CHANGELOG|docs\/(decisions\/\d{4}-.*|operations\/(statements|proof)|interface-coverage))\.md$/

/** Files whose pages must be in the sidebar: a new guide does not stay invisible. */
export const MUST_BE_LISTED = /^(docs\/(guides|operations)\/|site\/pages\/)[^/]*\.md$/

/** A page's address on the site, without slashes around it; the front page is `index`. */
export function toSlug(file: string): string {
  return file
    .replace(/^(site\/pages|docs)\//, '')
    .replace(/\.md$/, '')
    .replace(/\/README$/, '')
    .toLowerCase()
}

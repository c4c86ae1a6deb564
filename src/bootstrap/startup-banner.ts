import type { Config } from '../config.ts'
import { DEMO_CLIENTS, DEMO_USERS } from '../operations/secrets/demo-clients.ts'

/** The start-up banner: the URLs, the logins, and a command that works when pasted. */
export function startupBanner(
  config: Pick<Config, 'publicUrl' | 'home' | 'live' | 'databaseUrl' | 'logLevel'>,
  address: string | null,
  { warning, pagesAreBuilt }: { warning: string | null; pagesAreBuilt: boolean },
): string {
  const base = address ?? config.publicUrl
  const { accountId, clientId, clientSecret } = DEMO_CLIENTS[0]
  const lines = [
    '',
    `  Drover runs at  ${base}`,
    '',
    `  Portal          ${base}/portal`,
    `  Driver app      ${base}/driver`,
    `  Tracking        ${base}/track/…, the tracking_url of every delivery`,
    `  API reference   ${base}/docs`,
    `  OpenAPI         ${base}/openapi.json`,
    `  Health          ${base}/health/ready`,
    `  Data            ${config.databaseUrl ? 'the given PostgreSQL' : config.home}`,
    ...(config.logLevel === 'warn'
      ? ['  Log             warnings and errors; each request with LOG_LEVEL=info']
      : []),
    ...(pagesAreBuilt
      ? []
      : ['', '  Its pages are being built: portal and driver app open within a minute.']),
    ...(warning ? ['', `  ${warning}`] : []),
    ...(config.live ? [] : demoLines(base, accountId, clientId, clientSecret)),
    '',
    '  Ctrl-C stops it, database and all.',
    '',
  ]
  return `${lines.join('\n')}\n`
}

function demoLines(base: string, accountId: string, clientId: string, clientSecret: string): string[] {
  return [
    '',
    `  Demo account    ${accountId}      client ${clientId}, secret ${clientSecret}`,
    ...DEMO_USERS.map(
      ({ email, password, role }) =>
        `  ${ROLE_WORDS[role].padEnd(15)} ${email.padEnd(24)} password ${password}`,
    ),
    '',
    '  Ask what a delivery costs and when it arrives:',
    '',
    `    TOKEN=$(curl -s ${base}/${accountId}/auth/token -d grant_type=client_credentials \\`,
    `      -d client_id=${clientId} -d client_secret=${clientSecret} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `    curl -s ${base}/${accountId}/deliveries/quote-next-available -H "Authorization: Bearer $TOKEN" \\`,
    `      -H 'Content-Type: application/json' -d '${JSON.stringify(EXAMPLE_QUOTE)}'`,
  ]
}

const ROLE_WORDS = {
  operator: 'Operator',
  merchant_admin: 'Merchant admin',
  store_clerk: 'Store clerk',
} as const

const EXAMPLE_QUOTE = {
  store_reference: 'melbourne-cbd',
  address: { city: 'Fitzroy', state: 'VIC', post_code: '3065' },
  line_items: [{ code: 'TEA-1', name: 'Tea', price_cents: 1450, quantity: 2 }],
  parcels: [{ reference: 'BOX-1', length_cm: 20, width_cm: 20, height_cm: 10, weight_kg: 1, quantity: 1 }],
}

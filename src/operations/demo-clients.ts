/** The demo accounts' clients: printed at the start, and known to everybody. Never taken for a live account. */
export const DEMO_CLIENTS = [
  { accountId: 'demo', example: 'demo-account.yaml', clientId: 'demo-client', clientSecret: 'demo-secret' },
  { accountId: 'acme-byoc', example: 'acme-byoc.yaml', clientId: 'acme-client', clientSecret: 'acme-secret' },
] as const

export function isDemoSecret(secret: string): boolean {
  return DEMO_CLIENTS.some(({ clientSecret }) => clientSecret === secret)
}

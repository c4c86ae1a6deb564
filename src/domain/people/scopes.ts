/** What a caller may be allowed to do, whoever it is. */
export const SCOPES = [
  'deliveries:read',
  'deliveries:write',
  'quotes',
  'manifests',
  'links',
  'webhooks',
  'account',
] as const
export type Scope = (typeof SCOPES)[number]

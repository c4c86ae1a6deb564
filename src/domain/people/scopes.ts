/** What a caller may be allowed to do, whoever it is. */
export const SCOPES = [
  'deliveries:read',
  'deliveries:write',
  'quotes',
  'manifests',
  'links',
  'webhooks',
  'account',
  // The log-in codes of drivers, where a sandbox account has no SMS gateway and the outbox is all they are sent to.
  'driver_codes:read',
] as const
export type Scope = (typeof SCOPES)[number]

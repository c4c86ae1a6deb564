/** The permissions that any kind of caller may have. */
export const SCOPES = [
  'deliveries:read',
  'deliveries:write',
  'quotes',
  'manifests',
  'links',
  'webhooks',
  'account',
  // Read drivers' login codes. A sandbox account without an SMS gateway delivers them only to the outbox.
  'driver_codes:read',
] as const
export type Scope = (typeof SCOPES)[number]

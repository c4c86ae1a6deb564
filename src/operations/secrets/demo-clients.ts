/** The demo accounts' clients: printed at start-up and publicly known. Live accounts never accept them. */
export const DEMO_CLIENTS = [
  { accountId: 'demo', example: 'demo-account.yaml', clientId: 'demo-client', clientSecret: 'demo-secret' },
  { accountId: 'acme-byoc', example: 'acme-byoc.yaml', clientId: 'acme-client', clientSecret: 'acme-secret' },
] as const

/** The demo users: printed at start-up too, and rejected by live accounts. */
export const DEMO_USERS = [
  {
    accountId: '~',
    email: 'operator@drover.example',
    name: 'Olive Operator',
    role: 'operator',
    password: 'demo-operator-1',
    storeReferences: null,
  },
  {
    accountId: 'demo',
    email: 'admin@wattle.example',
    name: 'Ada Admin',
    role: 'merchant_admin',
    password: 'demo-admin-1',
    storeReferences: null,
  },
  {
    accountId: 'demo',
    email: 'clerk@wattle.example',
    name: 'Cleo Clerk',
    role: 'store_clerk',
    password: 'demo-clerk-1',
    storeReferences: ['melbourne-cbd', 'fitzroy'],
  },
] as const

export function isDemoPassword(password: string): boolean {
  return DEMO_USERS.some((user) => user.password === password)
}

export function isDemoSecret(secret: string): boolean {
  return DEMO_CLIENTS.some(({ clientSecret }) => clientSecret === secret)
}

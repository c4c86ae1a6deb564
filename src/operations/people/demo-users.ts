import { insertUser, listUsersByEmail } from '../../store/people/users.ts'
import type { Deps } from '../deps.ts'
import { DEMO_USERS } from '../secrets/demo-clients.ts'
import { hashPassword } from './password.ts'

/** Creates the demo users that are missing, in their order; existing ones stay as they are. */
export async function ensureDemoUsers(
  deps: Pick<Deps, 'db' | 'newId' | 'accounts' | 'passwordLogN'>,
): Promise<void> {
  const missing = await Promise.all(
    DEMO_USERS.map(async ({ password, ...user }) => {
      const known = await listUsersByEmail(deps.db, [user.accountId], user.email)
      if (known.length > 0) return []
      const passwordHash = await hashPassword(deps, user.email, password)
      return [{ ...user, userId: deps.newId('usr'), passwordHash }]
    }),
  )
  for (const user of missing.flat()) await insertUser(deps.db, user)
}

import { connectClient } from './connect-within.ts'
import { serversOf } from './servers.ts'

const CONNECT_MS = 10_000

/** The role's name if this URL signs in as a superuser, otherwise null. */
export async function superuserAt(url: string): Promise<string | null> {
  const client = await connectClient({ servers: serversOf(url), connectMs: CONNECT_MS })
  try {
    const { rows } = await client.query<{ role: string }>(
      'select rolname as role from pg_roles where rolname = current_user and rolsuper',
    )
    return rows[0]?.role ?? null
  } finally {
    await client.end()
  }
}

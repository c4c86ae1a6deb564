/** The servers of one database: a primary, and standbys that may be promoted. */
export type Servers = {
  count: number
  /** The URL of the server to connect to next. */
  url(): string
  /** Moves to the next server: this one cannot be reached, or has the other role. */
  leave(url: string): void
  /** Whether a server in this state is the one to use; always if there is only one and its URL asks for no role. */
  suits(state: { isStandby: boolean }): boolean
}

type Role = 'primary' | 'standby'

/** libpq's names for a server that takes writes. */
const WRITABLE = ['read-write', 'primary']

/**
 * `postgres://user:password@a:5432,b:5432/drover` names several servers, as in libpq. Drover uses the one with the
 * given role. A single server is used whatever its role, unless `target_session_attrs` asks for a primary.
 */
export function serversOf(databaseUrl: string, role: Role = 'primary'): Servers {
  const urls = toServerUrls(databaseUrl)
  const isChosen = urls.length > 1 || (role === 'primary' && asksForPrimary(databaseUrl))
  let at = 0
  return {
    count: urls.length,
    url: () => urls[at] as string,
    leave(url) {
      // If several connections to it fail at once, only the first moves on.
      if (url === urls[at]) at = (at + 1) % urls.length
    },
    suits: ({ isStandby }) => !isChosen || isStandby === (role === 'standby'),
  }
}

const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?#]*)(.*)$/i

/** One URL for each host; the text itself if it does not name several. */
export function toServerUrls(databaseUrl: string): string[] {
  const [, before, hosts, after] = SEVERAL.exec(databaseUrl) ?? []
  return hosts?.includes(',') ? hosts.split(',').map((host) => `${before}${host}${after}`) : [databaseUrl]
}

/** What is wrong with a database URL; null if nothing is. */
export function findUrlMistake(databaseUrl: string): 'form' | 'role' | null {
  const urls = toServerUrls(databaseUrl)
  const isForm = urls.every((url) => URL.canParse(url) && /^postgres(ql)?:\/\/./i.test(url))
  if (!isForm || urls.some((url) => urls.length > 1 && new URL(url).hostname === '')) return 'form'
  const asked = toRole(urls[0] as string)
  return asked === null || WRITABLE.includes(asked) ? null : 'role'
}

function asksForPrimary(databaseUrl: string): boolean {
  const [url = ''] = toServerUrls(databaseUrl)
  return URL.canParse(url) && WRITABLE.includes(toRole(url) ?? '')
}

function toRole(url: string): string | null {
  return new URL(url).searchParams.get('target_session_attrs')
}

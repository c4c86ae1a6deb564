import { bundled } from '../bundled.ts'
import { type Members, startMembers, startRole } from '../harness/members.ts'
import { hasSeededBug, type Role } from '../harness/seeded-bugs.ts'
import { bugsOf, type SeededBugName } from './seeded-bugs.ts'

export const WORKERS = ['worker-1', 'worker-2', 'worker-3'] as const
export const APIS = ['api-1', 'api-2'] as const
export const MEMBERS = [...APIS, ...WORKERS] as const
export type Member = (typeof MEMBERS)[number]

export type ChaosMembersOptions = {
  databaseUrlOf(member: Member): string
  env: Readonly<Record<string, string>>
  /** The seeded bugs of these processes. */
  seededBugs: readonly SeededBugName[]
}

/** Two `api` and three `worker` processes as shipped; those of process.ts where seeded bugs or the sandbox need it. */
export async function startChaosMembers({
  databaseUrlOf,
  env,
  seededBugs,
}: ChaosMembersOptions): Promise<Members<Member>> {
  const isOwn = (role: Role) => 'SANDBOX_URL' in env || hasSeededBug(role, bugsOf(seededBugs))
  const hasOwn = isOwn('api') || isOwn('worker')
  const own = hasOwn ? await bundled(new URL('process.ts', import.meta.url)) : null
  return startMembers({
    names: MEMBERS,
    start(member, port) {
      const role = member.startsWith('api') ? 'api' : 'worker'
      const settings = { DATABASE_URL: databaseUrlOf(member), LOG_LEVEL: 'error', ...env }
      if (!own || !isOwn(role)) return startRole(role, port, settings)
      const { NODE_COMPILE_CACHE = '' } = own.env
      return startRole(
        role,
        port,
        { ...settings, NODE_COMPILE_CACHE, SEEDED_BUGS: seededBugs.join(',') },
        own.file,
      )
    },
  })
}

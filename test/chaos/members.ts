import { fileURLToPath } from 'node:url'
import { type Members, startMembers, startRole } from '../harness/members.ts'
import { hasSeededBug } from '../harness/seeded-bugs.ts'
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

const SEEDED_PROCESS = fileURLToPath(new URL('process.ts', import.meta.url))

/** Two `api` and three `worker` processes as shipped. */
export function startChaosMembers({
  databaseUrlOf,
  env,
  seededBugs,
}: ChaosMembersOptions): Promise<Members<Member>> {
  return startMembers({
    names: MEMBERS,
    start(member, port) {
      const role = member.startsWith('api') ? 'api' : 'worker'
      const own = { DATABASE_URL: databaseUrlOf(member), LOG_LEVEL: 'error', ...env }
      if (!hasSeededBug(role, bugsOf(seededBugs))) return startRole(role, port, own)
      return startRole(role, port, { ...own, SEEDED_BUGS: seededBugs.join(',') }, SEEDED_PROCESS)
    },
  })
}

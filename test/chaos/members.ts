import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Members, startMembers } from '../harness/members.ts'
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

const MAIN = fileURLToPath(new URL('../../bin/drover.mjs', import.meta.url))
const SEEDED_PROCESS = fileURLToPath(new URL('process.ts', import.meta.url))
/** As in `npm start`, without the trace collector. */
const NODE_FLAGS = ['--v8-pool-size=1', '--max-semi-space-size=16']

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
      const isSeeded = hasSeededBug(role, bugsOf(seededBugs))
      return spawn(process.execPath, [...NODE_FLAGS, isSeeded ? SEEDED_PROCESS : MAIN, role], {
        env: {
          PATH: process.env.PATH,
          HOST: '127.0.0.1',
          ...(role === 'api' ? { PORT: port } : { DROVER_WORKER_PORT: port }),
          DATABASE_URL: databaseUrlOf(member),
          LOG_LEVEL: 'error',
          NODE_COMPILE_CACHE: join(tmpdir(), 'drover-chaos-cache'),
          ...(isSeeded ? { SEEDED_BUGS: seededBugs.join(',') } : {}),
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    },
  })
}

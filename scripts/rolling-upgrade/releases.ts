import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { NEED_A_STOP } from '../lint-migrations.ts'

/**
 * The newest commit that has only the first of today's migrations, all unchanged. Throws if there is none,
 * if the history is missing, or if a migration since then needs a stop.
 */
export function beforeNewestMigration(project: string): string {
  const today = migrationsOf(project, 'HEAD')
  for (const commit of git(project, 'log', '--format=%H', '--', 'migrations').split('\n')) {
    const then = migrationsOf(project, commit)
    if (then.length < today.length && then.every((one, index) => one === today[index])) {
      const stop = today.slice(then.length).find((one) => NEED_A_STOP.some((name) => one.includes(name)))
      if (!stop) return commit
      throw new Error(
        `Processes from before ${stop.split(' ')[0]} cannot run beside it: name a later commit.`,
      )
    }
  }
  throw new Error('Name a commit: no commit in the local history has fewer of the same migrations.')
}

/** File names with their contents. */
function migrationsOf(project: string, commit: string): string[] {
  const lines = git(project, 'ls-tree', '-r', '--format=%(path) %(objectname)', commit, 'migrations/').split(
    '\n',
  )
  return lines.filter((line) => line.includes('.sql ')).sort()
}

/** Checks out the project at a commit, with today's packages. Returns the commit's first line. */
export function unpack(project: string, commit: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['-C', project, 'archive', commit], { maxBuffer: 1 << 29 })
  const { status, stderr } = spawnSync('tar', ['-x', '-C', folder], { input: archive })
  if (status !== 0) throw new Error(`tar: ${stderr}`)
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  return git(project, 'log', '-1', '--format=%h %s', commit)
}

function git(project: string, ...args: string[]): string {
  return execFileSync('git', ['-C', project, ...args], { encoding: 'utf8' }).trim()
}

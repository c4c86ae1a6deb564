import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { findPostmaster } from '../../src/embedded/postmaster.ts'
import { childrenOf, signal } from './children.ts'

/**
 * `kill`: every process at once, by SIGKILL. `backend`: one process, after which PostgreSQL restarts all.
 * `immediate`: SIGQUIT.
 */
export const CRASHES = ['kill', 'backend', 'immediate'] as const
export type Crash = (typeof CRASHES)[number]

/** Crashes the PostgreSQL of this home, and its supervisor restarts it. False: PostgreSQL was not running. */
export function crashPostgres(home: string, kind: Crash): boolean {
  const postmaster = findPostmaster(join(realpathSync(join(home, 'postgres')), 'data'))
  if (postmaster?.status !== 'ready') return false
  const children = childrenOf(postmaster.pid)
  const victims = { kill: [postmaster.pid, ...children], backend: children.slice(-1), immediate: [] }[kind]
  for (const pid of victims) signal(pid, 'SIGKILL')
  if (kind === 'immediate') signal(postmaster.pid, 'SIGQUIT')
  return true
}

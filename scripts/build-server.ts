/**
 * Bundles the sources and their packages into the few files that bin/drover.mjs runs; a part of `npm run
 * build`.
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { bundle } from './bundle.ts'
import { madeFolder } from './program.mjs'

const PROJECT = resolve(import.meta.dirname, '..')
/**
 * No process still runs a build that was replaced this long ago: a process reads some files only when it
 * needs them.
 */
const ABANDONED_AFTER_MS = 30 * 24 * 60 * 60 * 1000

/** Builds it unless it exists. */
export async function buildServer(): Promise<'fresh' | 'built' | 'no-tools'> {
  const folder = madeFolder(PROJECT)
  if (existsSync(folder)) return 'fresh'
  if (!existsSync(join(PROJECT, 'node_modules', 'rolldown', 'package.json'))) return 'no-tools'
  const making = `${folder}.${process.pid}`
  try {
    await bundle('src/main.ts', { cwd: PROJECT, folder: making, home: folder })
    // A source was saved meanwhile: this build mixes two versions.
    if (madeFolder(PROJECT) !== folder) return await buildServer()
    removeAbandoned(dirname(folder), Date.now())
    renameSync(making, folder)
    return 'built'
  } catch (error) {
    if (existsSync(folder)) return 'fresh'
    throw error
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

/** Each build was replaced when the next one was created, the newest of them at `nowMs`. */
export function removeAbandoned(parent: string, nowMs: number): void {
  const made = readdirSync(parent)
    .map((name) => join(parent, name))
    // Another build may remove folders at the same time.
    .map((path) => ({ path, madeMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs }))
    .sort((a, b) => b.madeMs - a.madeMs)
  for (const [at, { path }] of made.entries()) {
    const replacedMs = made[at - 1]?.madeMs ?? nowMs
    if (nowMs - replacedMs > ABANDONED_AFTER_MS) rmSync(path, { recursive: true, force: true })
  }
}

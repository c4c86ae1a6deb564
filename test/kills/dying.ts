import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Deps } from '../../src/operations/deps.ts'
import { type Bundled, bundled } from '../bundled.ts'
import { WORLD_SECRET_KEY, type World } from '../world.ts'
import type { CrashOrder } from './crash-child.ts'
import { stepped } from './stepped.ts'
import { doWork, type Work } from './work.ts'

export function dyingProgram(): Promise<Bundled> {
  return bundled(new URL('crash-child.ts', import.meta.url))
}

/** Does it once, with nobody dying, and answers its steps. */
export async function stepsOf({ deps }: World, work: Work): Promise<string[]> {
  const steps: string[] = []
  await doWork(
    stepped(deps, (step) => steps.push(step)),
    work,
  )
  return steps
}

/** Lets a process of its own do it, which dies by SIGKILL after that step; fails unless it did. */
export async function dieAfter(
  { file, env }: Bundled,
  { databaseUrl }: World,
  work: Work,
  after: CrashOrder['dieAfter'],
  what: string,
): Promise<void> {
  const order: CrashOrder = { work, databaseUrl, secretKey: WORLD_SECRET_KEY, dieAfter: after }
  const child = fork(file, [JSON.stringify(order)], { env, execArgv: [] })
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL', what)
}

/** Here, and nothing that comes after that step happens: to the database that is a death. */
export async function doUntil({ deps }: World, work: Work, step?: string): Promise<void> {
  const died = `died after ${step}`
  const dying: Deps = stepped(deps, (done) => {
    if (done === step) throw new Error(died)
  })
  await doWork(dying, work).catch((error: Error) => {
    if (error.message !== died) throw error
  })
}

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Deps } from '../../src/operations/deps.ts'
import { type Bundled, bundled } from '../bundled.ts'
import { type Fixture, WORLD_SECRET_KEY } from '../fixture.ts'
import { recordSteps } from './record-steps.ts'
import { type CrashOrder, doWork, STEP_NOT_REACHED, type Work } from './work.ts'

export function dyingProgram(): Promise<Bundled> {
  return bundled(new URL('crash-child.ts', import.meta.url))
}

/**
 * Runs a piece of work without a crash, and then once for each of its steps with a crash after it, from `fromStep` on; `begin`
 * makes the work of each run, `check` checks its result (`step`: null for the run without a crash). Returns the number of
 * crashes.
 */
export async function dieAfterEach<Begun extends { work: Work }>(
  program: Bundled,
  fixture: Fixture,
  { name, fromStep }: { name: string; fromStep?: string | undefined },
  begin: (suffix: string) => Promise<Begun>,
  check: (begun: Begun, what: string, step: string | null) => Promise<void>,
): Promise<number> {
  const whole = await begin('whole')
  const steps = await stepsOf(fixture, whole.work)
  await check(whole, `${name}, whole`, null)
  const first = fromStep === undefined ? 0 : Math.max(0, steps.indexOf(fromStep))
  for (const [index, step] of steps.entries()) {
    if (index < first) continue
    const what = `${name}, dead after ${step} (step ${index + 1})`
    const times = steps.slice(0, index + 1).filter((one) => one === step).length
    let begun = await begin(`${index}`)
    // This process may do the step first, such as publishing an event. The other one then never reaches it.
    for (let repeat = 1; !(await dies(program, fixture, begun.work, { step, times })); repeat++) {
      assert.ok(repeat < MAX_REPEATS, `${what}: the process never reached that step`)
      begun = await begin(`${index}-${repeat}`)
    }
    await check(begun, what, step)
  }
  return steps.length - first
}

/** Runs it once without a crash, and returns its steps. */
async function stepsOf({ deps }: Fixture, work: Work): Promise<string[]> {
  const steps: string[] = []
  await doWork(
    recordSteps(deps, (step) => steps.push(step)),
    work,
  )
  return steps
}

const MAX_REPEATS = 4

/** Runs it in a separate process that dies by SIGKILL after that step; fails unless it did. */
export async function dieAfter(
  program: Bundled,
  fixture: Fixture,
  work: Work,
  after: CrashOrder['dieAfter'],
  what: string,
): Promise<void> {
  assert.ok(await dies(program, fixture, work, after), what)
}

/** Runs it in a separate process; whether that died by SIGKILL after the step. */
async function dies(
  { file, env }: Bundled,
  { databaseUrl }: Fixture,
  work: Work,
  after: CrashOrder['dieAfter'],
): Promise<boolean> {
  const order: CrashOrder = { work, databaseUrl, secretKey: WORLD_SECRET_KEY, dieAfter: after }
  const child = fork(file, [JSON.stringify(order)], { env, execArgv: [], silent: true })
  const [code, signal] = await once(child, 'exit')
  assert.ok(signal === 'SIGKILL' || code === STEP_NOT_REACHED, `it ended with ${signal ?? code}`)
  return signal === 'SIGKILL'
}

/** Runs it here and drops everything after that step: to the database that is a crash. */
export async function doUntil({ deps }: Fixture, work: Work, step?: string): Promise<void> {
  const died = `died after ${step}`
  const dying: Deps = recordSteps(deps, (done) => {
    if (done === step) throw new Error(died)
  })
  await doWork(dying, work).catch((error: Error) => {
    if (error.message !== died) throw error
  })
}

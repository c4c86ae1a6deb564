import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Bundled } from '../bundled.ts'
import type { Fixture } from '../fixture.ts'
import { checkAtRest } from './check-at-rest.ts'
import {
  arrangeDelivery,
  type BookingRecovery,
  crashFixture,
  endPatience,
  letTimePass,
  RECOVERIES,
} from './crash-fixture.ts'
import { dieAfter, doUntil, dyingProgram, stepsOf } from './crash-points.ts'

/** Of one delivery: a worker's turn, or a request to cancel or reassign it. */
type Task = 'turn' | 'cancel' | 'reassign'

type Situation = {
  name: string
  recoveries: readonly BookingRecovery[]
  fate: string
  /** Earlier events. `die`: a process died after that step. `hold`: the account's time limit passed. */
  before: readonly { task: Task | 'hold'; dieAfterStep?: string }[]
  task: Task
  /** A crash before this step leaves a state that another situation covers. */
  fromStep?: string
}

const SITUATIONS: readonly Situation[] = [
  { name: 'a first booking', recoveries: RECOVERIES, fate: '', before: [], task: 'turn' },
  {
    name: 'a booking without a response',
    recoveries: RECOVERIES,
    fate: '-lost-answer',
    before: [],
    task: 'turn',
    fromStep: 'carrier books',
  },
  {
    name: 'a refused booking',
    recoveries: ['southern'],
    fate: '-rejected',
    before: [],
    task: 'turn',
    fromStep: 'carrier books',
  },
  {
    name: 'resolving an attempt that the carrier booked',
    recoveries: ['swiftly', 'southern'],
    fate: '-lost-answer',
    before: [{ task: 'turn' }],
    task: 'turn',
  },
  {
    name: 'taking over from a process that died before its call',
    recoveries: RECOVERIES,
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'open-intent' }],
    task: 'turn',
  },
  {
    name: 'taking over from a process that died after the response',
    recoveries: RECOVERIES,
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'carrier books' }],
    task: 'turn',
    fromStep: 'doubt-intent',
  },
  {
    name: 'a look-up that finds nothing, and the booking after it',
    recoveries: ['southern'],
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'open-intent' }, { task: 'turn' }],
    task: 'turn',
  },
  {
    name: 'a look-up that finds the booking',
    recoveries: ['southern'],
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'carrier books' }, { task: 'turn' }],
    task: 'turn',
  },
  {
    name: 'looking up a delivery on hold that the carrier booked',
    recoveries: ['southern'],
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'carrier books' }, { task: 'turn' }, { task: 'hold' }],
    task: 'turn',
  },
  {
    name: 'looking up a delivery on hold that the carrier never booked',
    recoveries: ['southern'],
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'open-intent' }, { task: 'turn' }, { task: 'hold' }],
    task: 'turn',
  },
  { name: 'a cancel', recoveries: RECOVERIES, fate: '', before: [{ task: 'turn' }], task: 'cancel' },
  {
    name: 'cancelling a booking that was reassigned to another carrier',
    recoveries: ['any'],
    fate: '',
    before: [{ task: 'turn' }, { task: 'reassign', dieAfterStep: 'commit' }],
    task: 'turn',
  },
]

test('a crash after any step causes no double booking, and every delivery ends', async (t) => {
  const fixture = await crashFixture(t)
  const program = await dyingProgram()
  const deaths: (() => Promise<void>)[] = []
  let points = 0
  for (const situation of SITUATIONS) {
    for (const recovery of situation.recoveries) {
      const steps = await stepsWhole(fixture, situation, recovery)
      const first = situation.fromStep ? steps.indexOf(situation.fromStep) : 0
      for (let step = Math.max(0, first); step < steps.length; step += 1) {
        points += 1
        deaths.push(() => dieAt(fixture, program, situation, recovery, step + 1, steps[step] ?? ''))
      }
    }
  }
  t.diagnostic(`${points} crash points`)
  assert.ok(points > 50)
  await Promise.all([1, 2].map(() => drain(deaths)))
})

async function drain(deaths: (() => Promise<void>)[]): Promise<void> {
  for (let death = deaths.shift(); death; death = deaths.shift()) await death()
}

/** The steps of a piece of work, from one run without a crash. */
async function stepsWhole(
  fixture: Fixture,
  situation: Situation,
  recovery: BookingRecovery,
): Promise<string[]> {
  const deliveryId = await arrange(fixture, situation, recovery, 'whole')
  const steps = await stepsOf(fixture, { deliveryId, task: situation.task })
  await checkAtRest(fixture, deliveryId, `${situation.name} at ${recovery}, without a crash`)
  return steps
}

async function dieAt(
  fixture: Fixture,
  program: Bundled,
  situation: Situation,
  recovery: BookingRecovery,
  step: number,
  name: string,
) {
  const deliveryId = await arrange(fixture, situation, recovery, `${step}`)
  const what = `${situation.name} at ${recovery}, dead after ${name} (step ${step})`
  await dieAfter(program, fixture, { deliveryId, task: situation.task }, step, what)
  await checkAtRest(fixture, deliveryId, what)
}

/** A delivery in the situation's first state. */
async function arrange(
  fixture: Fixture,
  situation: Situation,
  recovery: BookingRecovery,
  suffix: string,
): Promise<string> {
  const index = SITUATIONS.indexOf(situation)
  const reference = `S${index}-${recovery}-${suffix}${situation.fate}`
  const deliveryId = await arrangeDelivery(fixture, recovery, reference)
  for (const { task, dieAfterStep } of situation.before) {
    if (task === 'hold') await endPatience(fixture, deliveryId)
    else await doUntil(fixture, { deliveryId, task }, dieAfterStep)
    await letTimePass(fixture, deliveryId)
  }
  return deliveryId
}

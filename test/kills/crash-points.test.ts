import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Bundled } from '../bundled.ts'
import type { Fixture } from '../fixture.ts'
import { checkAtRest } from './assert-quiescent.ts'
import {
  arrangeDelivery,
  crashFixture,
  endPatience,
  letTimePass,
  NATURES,
  type Nature,
} from './crash-fixture.ts'
import { dieAfter, doUntil, dyingProgram, stepsOf } from './crash-points.ts'

/** Of one delivery: a worker's turn, or to take it from its carrier. */
type Task = 'turn' | 'cancel' | 'reassign'

type Situation = {
  name: string
  natures: readonly Nature[]
  fate: string
  /** What others did before. `die`: they died after that step. `hold`: the account's patience ended. */
  before: readonly { task: Task | 'hold'; dieAfterStep?: string }[]
  task: Task
  /** Death before this step leaves what another situation has tried already. */
  fromStep?: string
}

const SITUATIONS: readonly Situation[] = [
  { name: 'a first booking', natures: NATURES, fate: '', before: [], task: 'turn' },
  {
    name: 'a booking without an answer',
    natures: NATURES,
    fate: '-lost-answer',
    before: [],
    task: 'turn',
    fromStep: 'carrier books',
  },
  {
    name: 'a refused booking',
    natures: ['southern'],
    fate: '-rejected',
    before: [],
    task: 'turn',
    fromStep: 'carrier books',
  },
  {
    name: 'settling a booking that stands',
    natures: ['swiftly', 'southern'],
    fate: '-lost-answer',
    before: [{ task: 'turn' }],
    task: 'turn',
  },
  {
    name: 'taking over from a process that died before its call',
    natures: NATURES,
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'open-intent' }],
    task: 'turn',
  },
  {
    name: 'taking over from a process that died after the answer',
    natures: NATURES,
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'carrier books' }],
    task: 'turn',
    fromStep: 'doubt-intent',
  },
  {
    name: 'a look-up that finds nothing, and the booking after it',
    natures: ['southern'],
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'open-intent' }, { task: 'turn' }],
    task: 'turn',
  },
  {
    name: 'a look-up that finds it',
    natures: ['southern'],
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'carrier books' }, { task: 'turn' }],
    task: 'turn',
  },
  {
    name: 'asking about what is on hold, and stands',
    natures: ['southern'],
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'carrier books' }, { task: 'turn' }, { task: 'hold' }],
    task: 'turn',
  },
  {
    name: 'asking about what is on hold, and never was',
    natures: ['southern'],
    fate: '',
    before: [{ task: 'turn', dieAfterStep: 'open-intent' }, { task: 'turn' }, { task: 'hold' }],
    task: 'turn',
  },
  { name: 'a cancel', natures: NATURES, fate: '', before: [{ task: 'turn' }], task: 'cancel' },
  {
    name: 'letting go of what goes to another carrier',
    natures: ['any'],
    fate: '',
    before: [{ task: 'turn' }, { task: 'reassign', dieAfterStep: 'commit' }],
    task: 'turn',
  },
]

test('whoever dies after whichever step, nothing is booked twice and all comes to an end', async (t) => {
  const fixture = await crashFixture(t)
  const program = await dyingProgram()
  const deaths: (() => Promise<void>)[] = []
  let points = 0
  for (const situation of SITUATIONS) {
    for (const nature of situation.natures) {
      const steps = await stepsWhole(fixture, situation, nature)
      const first = situation.fromStep ? steps.indexOf(situation.fromStep) : 0
      for (let step = Math.max(0, first); step < steps.length; step += 1) {
        points += 1
        deaths.push(() => dieAt(fixture, program, situation, nature, step + 1, steps[step] ?? ''))
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

/** The steps of a piece of work, from doing it once with nobody dying. */
async function stepsWhole(fixture: Fixture, situation: Situation, nature: Nature): Promise<string[]> {
  const deliveryId = await arrange(fixture, situation, nature, 'whole')
  const steps = await stepsOf(fixture, { deliveryId, task: situation.task })
  await checkAtRest(fixture, deliveryId, `${situation.name} at ${nature}, whole`)
  return steps
}

async function dieAt(
  fixture: Fixture,
  program: Bundled,
  situation: Situation,
  nature: Nature,
  step: number,
  name: string,
) {
  const deliveryId = await arrange(fixture, situation, nature, `${step}`)
  const what = `${situation.name} at ${nature}, dead after ${name} (step ${step})`
  await dieAfter(program, fixture, { deliveryId, task: situation.task }, step, what)
  await checkAtRest(fixture, deliveryId, what)
}

/** A delivery in the state that the situation begins with. */
async function arrange(
  fixture: Fixture,
  situation: Situation,
  nature: Nature,
  suffix: string,
): Promise<string> {
  const index = SITUATIONS.indexOf(situation)
  const reference = `S${index}-${nature}-${suffix}${situation.fate}`
  const deliveryId = await arrangeDelivery(fixture, nature, reference)
  for (const { task, dieAfterStep } of situation.before) {
    if (task === 'hold') await endPatience(fixture, deliveryId)
    else await doUntil(fixture, { deliveryId, task }, dieAfterStep)
    await letTimePass(fixture, deliveryId)
  }
  return deliveryId
}

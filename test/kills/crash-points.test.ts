import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fixture } from '../fixture.ts'
import { inFlight } from '../harness/http.ts'
import {
  arrangeDelivery,
  type BookingRecovery,
  checkAtRest,
  crashFixture,
  endPatience,
  letTimePass,
  RECOVERIES,
} from './crash-fixture.ts'
import { dieAfterEach, doUntil, dyingProgram } from './crash-points.ts'

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
    before: [{ task: 'turn', dieAfterStep: 'open-intents' }],
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
    before: [{ task: 'turn', dieAfterStep: 'open-intents' }, { task: 'turn' }],
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
    before: [{ task: 'turn', dieAfterStep: 'open-intents' }, { task: 'turn' }, { task: 'hold' }],
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
  const cases = SITUATIONS.flatMap((situation) =>
    situation.recoveries.map((recovery) => ({ situation, recovery })),
  )
  let points = 0
  await inFlight(cases, 2, async ({ situation, recovery }) => {
    const { name, fromStep, task } = situation
    const begin = async (suffix: string) => {
      const deliveryId = await arrange(fixture, situation, recovery, suffix)
      return { deliveryId, work: { deliveryId, task } }
    }
    const of = { name: `${name} at ${recovery}`, fromStep }
    const own = await dieAfterEach(program, fixture, of, begin, ({ deliveryId }, what) =>
      checkAtRest(fixture, deliveryId, what),
    )
    points += own
  })
  t.diagnostic(`${points} crash points`)
  assert.ok(points > 50)
})

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

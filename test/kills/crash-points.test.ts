import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { type Bundled, bundled } from '../bundled.ts'
import { WORLD_SECRET_KEY, type World } from '../world.ts'
import type { CrashOrder } from './crash-child.ts'
import {
  arrangeDelivery,
  crashWorld,
  endPatience,
  letTimePass,
  NATURES,
  type Nature,
  standingAt,
} from './crash-world.ts'
import { stepped } from './stepped.ts'
import { doWork, type Work } from './work.ts'

type Situation = {
  name: string
  natures: readonly Nature[]
  fate: string
  /** What others did before. `die`: they died after that step. `hold`: the account's patience ended. */
  before: readonly { task: Work['task'] | 'hold'; dieAfterStep?: string }[]
  task: Work['task']
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
  const world = await crashWorld(t)
  const program = await bundled(new URL('crash-child.ts', import.meta.url))
  const deaths: (() => Promise<void>)[] = []
  let points = 0
  for (const situation of SITUATIONS) {
    for (const nature of situation.natures) {
      const steps = await stepsOf(world, situation, nature)
      const first = situation.fromStep ? steps.indexOf(situation.fromStep) : 0
      for (let step = Math.max(0, first); step < steps.length; step += 1) {
        points += 1
        deaths.push(() => dieAt(world, program, situation, nature, step + 1, steps[step] ?? ''))
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
async function stepsOf(world: World, situation: Situation, nature: Nature): Promise<string[]> {
  const deliveryId = await arrange(world, situation, nature, 'whole')
  const steps: string[] = []
  await doWork(
    stepped(world.deps, (step) => steps.push(step)),
    { deliveryId, task: situation.task },
  )
  await checkAtRest(world, deliveryId, `${situation.name} at ${nature}, whole`)
  return steps
}

async function dieAt(
  world: World,
  { file, env }: Bundled,
  situation: Situation,
  nature: Nature,
  step: number,
  name: string,
) {
  const deliveryId = await arrange(world, situation, nature, `${step}`)
  const { databaseUrl } = world
  const order: CrashOrder = {
    deliveryId,
    task: situation.task,
    databaseUrl,
    secretKey: WORLD_SECRET_KEY,
    dieAfter: step,
  }
  const child = fork(file, [JSON.stringify(order)], { env, execArgv: [] })
  const [, signal] = await once(child, 'exit')
  const what = `${situation.name} at ${nature}, dead after ${name} (step ${step})`
  assert.equal(signal, 'SIGKILL', what)
  await checkAtRest(world, deliveryId, what)
}

/** A delivery in the state that the situation begins with. */
async function arrange(world: World, situation: Situation, nature: Nature, suffix: string): Promise<string> {
  const index = SITUATIONS.indexOf(situation)
  const reference = `S${index}-${nature}-${suffix}${situation.fate}`
  const deliveryId = await arrangeDelivery(world, nature, reference)
  for (const { task, dieAfterStep } of situation.before) {
    if (task === 'hold') await endPatience(world, deliveryId)
    else await work(world, { deliveryId, task }, dieAfterStep)
    await letTimePass(world, deliveryId)
  }
  return deliveryId
}

/** With `dieAfterStep`, nothing that comes after that step happens: to the database that is a death. */
async function work(world: World, what: Work, dieAfterStep?: string): Promise<void> {
  const deps = stepped(world.deps, (step) => {
    if (step === dieAfterStep) throw new Error(`died after ${step}`)
  })
  await doWork(deps, what).catch((error: Error) => {
    if (error.message !== `died after ${dieAfterStep}`) throw error
  })
}

const MOST_TURNS = 8

async function checkAtRest(world: World, deliveryId: string, what: string): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    await letTimePass(world, deliveryId)
    const { rows } = await world.deps.db.query(
      `select 1 from deliveries where delivery_id = $1 and (status = 'requested' or cancel_requested_at is not null
         or (status = 'on_hold' and due_at is not null))`,
      [deliveryId],
    )
    if (rows.length === 0) break
    await work(world, { deliveryId, task: 'turn' })
  }
  const { rows } = await world.deps.db.query(
    `select reference, status, status_reason, consignment_number, open_attempt, parked_at
     from deliveries where delivery_id = $1`,
    [deliveryId],
  )
  const [delivery] = rows
  const standing = await standingAt(world, delivery.reference)
  assert.ok(standing.length <= 1, `${what}: ${standing} stand`)
  const context = `${what}: ${delivery.status}, ${delivery.status_reason}`
  assert.equal(delivery.parked_at, null, context)
  if (delivery.status === 'booked') {
    assert.deepEqual(standing, [delivery.consignment_number], context)
  } else {
    assert.ok(['on_hold', 'cancelled'].includes(delivery.status), context)
    if (delivery.open_attempt === null) assert.equal(standing.length, 0, context)
  }
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pacedQueue } from './paced-queue.ts'

const turn = () => new Promise<void>((over) => setImmediate(over))

test('a hundred concurrent calls start in order, 32 per tick, each with its own result', async () => {
  const { begin } = pacedQueue(async () => {})
  const begun: number[] = []
  const all = Array.from({ length: 100 }, (_, one) =>
    begin(async () => {
      begun.push(one)
      if (one === 50) throw new Error('his own')
      return one
    }),
  )
  const heard = Promise.allSettled(all)
  const turns = [begun.length]
  while (begun.length < 100) {
    await turn()
    turns.push(begun.length)
  }
  assert.deepEqual([...new Set(turns)], [32, 64, 96, 100])
  assert.deepEqual(
    begun,
    Array.from({ length: 100 }, (_, one) => one),
  )
  const answers = await heard
  assert.equal(answers[50]?.status, 'rejected')
  assert.deepEqual(
    answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])),
    begun.filter((one) => one !== 50),
  )
})

test('a later call starts after those that wait', async () => {
  const { begin } = pacedQueue(async () => {})
  const begun: string[] = []
  for (let one = 0; one < 40; one++) void begin(() => void begun.push('first'))
  await turn()
  void begin(() => void begun.push('later'))
  await turn()
  await turn()
  assert.deepEqual(begun.slice(32), [...Array(8).fill('first'), 'later'])
  assert.equal(
    begin(() => 'alone'),
    'alone',
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GROUPS, type Group } from './classify.ts'
import { countPendingMoves, EXIT_DELAY_MS, nextExitMs, showAtOnce, showNext } from './exit-delay.ts'
import type { RowGroups } from './group-rows.ts'

/** `needs: a b, road: c` as groups. */
function toGroups(text: string): RowGroups {
  const named = text.split(', ').map((one) => one.split(': ') as [Group, string?])
  const groups = GROUPS.map((group) => {
    const keys = named.find(([name]) => name === group)?.[1]
    return [group, keys ? keys.split(' ') : []]
  })
  return Object.fromEntries(groups)
}
function toText(groups: RowGroups): string {
  return GROUPS.filter((group) => groups[group].length > 0)
    .map((group) => `${group}: ${groups[group].join(' ')}`)
    .join(', ')
}

const all = new Set('abcdefg')
const free = { nowMs: 0, held: false, known: all }

test('a row that leaves its group stays for a while, then goes; a new row appears at once', () => {
  for (const [name, before, latest, first, later] of [
    ['no row moves', 'waiting: a b', 'waiting: a b', 'waiting: a b', 'waiting: a b'],
    ['a row arrives', 'waiting: a', 'waiting: b a', 'waiting: b a', 'waiting: b a'],
    [
      'a row leaves from the middle',
      'waiting: a b c',
      'waiting: a c, done: b',
      'waiting: a b c',
      'waiting: a c, done: b',
    ],
    ['the first row leaves', 'waiting: a b', 'waiting: b, done: a', 'waiting: a b', 'waiting: b, done: a'],
    ['all rows leave', 'waiting: a b', 'road: b a', 'waiting: a b', 'road: b a'],
    [
      'a row leaves, and so does the row before it',
      'waiting: a b c',
      'waiting: c, done: a b',
      'waiting: a b c',
      'waiting: c, done: a b',
    ],
    [
      'a row leaves while another arrives and they change places',
      'waiting: a b c',
      'needs: b, waiting: c d a',
      'waiting: c d a b',
      'needs: b, waiting: c d a',
    ],
    ['a row has no group any more', 'road: a b', 'road: b', 'road: a b', 'road: b'],
    ['an unknown row is gone at once', 'road: a z', 'road: a', 'road: a', 'road: a'],
  ] as const) {
    const shown = showNext(showAtOnce(toGroups(before)), toGroups(latest), free)
    assert.equal(toText(shown.groups), first, name)
    const almost = showNext(shown, toGroups(latest), { ...free, nowMs: EXIT_DELAY_MS - 1 })
    assert.equal(toText(almost.groups), first, `${name}, almost`)
    assert.equal(almost, shown, `${name}: nothing is drawn again`)
    const over = showNext(shown, toGroups(latest), { ...free, nowMs: EXIT_DELAY_MS })
    assert.equal(toText(over.groups), later, `${name}, later`)
    assert.equal(nextExitMs(over), null, name)
  }
})

test('each row has its own delay, and a row that returns has none', () => {
  const one = showNext(showAtOnce(toGroups('waiting: a b c')), toGroups('waiting: b c, done: a'), free)
  assert.equal(nextExitMs(one), EXIT_DELAY_MS)
  const two = showNext(one, toGroups('waiting: c, done: a b'), { ...free, nowMs: 1_000 })
  assert.equal(toText(two.groups), 'waiting: a b c')
  const three = showNext(two, toGroups('waiting: c, done: a b'), { ...free, nowMs: EXIT_DELAY_MS })
  assert.equal(toText(three.groups), 'waiting: b c, done: a')
  assert.equal(nextExitMs(three), EXIT_DELAY_MS + 1_000)
  const back = showNext(three, toGroups('waiting: b c, done: a'), { ...free, nowMs: EXIT_DELAY_MS + 1 })
  assert.equal(toText(back.groups), 'waiting: b c, done: a')
  assert.equal(nextExitMs(back), null)
})

test('rows do not move while the list is in use; overdue rows go when it is released', () => {
  const before = showAtOnce(toGroups('waiting: a b c'))
  const latest = toGroups('waiting: d b, done: a')
  const held = showNext(before, latest, { ...free, held: true })
  assert.equal(toText(held.groups), 'waiting: a b c')
  const released = showNext(held, latest, { ...free, nowMs: EXIT_DELAY_MS + 1 })
  assert.equal(toText(released.groups), 'waiting: d b, done: a')
  const soon = showNext(held, latest, { ...free, nowMs: 1_000 })
  assert.equal(toText(soon.groups), 'waiting: a d b c', 'rows that left just now stay for their delay')
})

test('an empty list is filled, whether in use or not', () => {
  const held = { ...free, held: true }
  assert.equal(toText(showNext(showAtOnce(toGroups('')), toGroups('waiting: a'), held).groups), 'waiting: a')
  assert.equal(
    toText(showNext(showAtOnce(toGroups('road: y z')), toGroups('waiting: a'), held).groups),
    'waiting: a',
  )
})

test('pending moves count rows that change group, leave or arrive', () => {
  for (const [before, latest, moved] of [
    ['waiting: a b', 'waiting: b a', 0],
    ['waiting: a b', 'waiting: b, done: a', 1],
    ['waiting: a b', 'waiting: b', 1],
    ['waiting: a z', 'waiting: a', 0],
    ['waiting: a', 'waiting: a b, needs: c', 2],
  ] as const) {
    assert.equal(countPendingMoves(toGroups(before), toGroups(latest), all), moved, `${before} → ${latest}`)
  }
})

import assert from 'node:assert/strict'
import test from 'node:test'
import { lintCoverage } from './lint-coverage.ts'

const file = "test('a parcel arrives', () => {})\n  test(`$" + '{carrier} takes it`, () => {})\n'
const read = (path: string) => (path === 'src/a.test.ts' ? file : null)
const row = (shownBy: string) => `Words.\n\n| What | Shown by |\n|---|---|\n| A field | ${shownBy} |\n`
const one = '[a](../src/a.test.ts) “a parcel arrives”'

test('rows that cite tests, or state that there is no test yet, pass', () => {
  for (const shownBy of [
    one,
    `${one}<br>[a](../src/a.test.ts) “$\{carrier} takes it”`,
    'not yet',
    `${one}<br>not yet: the page`,
  ]) {
    assert.deepEqual(lintCoverage(row(shownBy), read), [], shownBy)
  }
})

test('each mistake is reported with its line', () => {
  const cases: [string, RegExp][] = [
    ['', /^line 5: names no test$/],
    ['by hand', /neither/],
    ['[b](../src/b.test.ts) “a parcel arrives”', /there is no src\/b\.test\.ts/],
    ['[a](../src/a.test.ts) “a parcel”', /has no test “a parcel”/],
    [`${one}<br>[a](../src/a.test.ts) “gone”`, /“gone”/],
  ]
  for (const [shownBy, complaint] of cases) {
    const complaints = lintCoverage(row(shownBy), read)
    assert.equal(complaints.length, 1, shownBy)
    assert.match(complaints[0] ?? '', complaint)
  }
})

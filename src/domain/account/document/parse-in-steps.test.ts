import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parse } from 'yaml'
import { AccountDocument } from './document.ts'
import { parseInSteps, type Steps } from './parse-in-steps.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document in its own words, right or wrong.
type Document = any
const demo: Document = parse(
  await readFile(new URL('../../../../examples/demo-account.yaml', import.meta.url), 'utf8'),
)

function run<T>(steps: Steps<T>): { result: T; count: number } {
  for (let count = 1; ; count++) {
    const { done, value } = steps.next()
    if (done) return { result: value, count }
  }
}

/** A step of two values makes a part of nearly everything. */
function requireSame(document: unknown, why: string): void {
  const { success, data, error } = AccountDocument.safeParse(document)
  for (const values of [2, 10, 100, 2_000]) {
    const { result } = run(parseInSteps(AccountDocument, document, values))
    assert.equal(result.success, success, `${why}, ${values} values in a step`)
    if (result.success) assert.equal(JSON.stringify(result.data), JSON.stringify(data), why)
    // What the reader itself adds to an issue is not compared: JSON leaves functions out.
    assert.equal(
      JSON.stringify(result.issues),
      JSON.stringify(error?.issues ?? []),
      `${why}, ${values} values`,
    )
  }
}

test('parsing in steps gives the same document as parsing at once', () => requireSame(demo, 'demo'))

const WRONG = [undefined, null, 0, -1, 1.5, '', 'x', '​', [], {}, [null], { unknown: 1 }, true]

test('parsing in steps finds the same issues in the same order', () => {
  let state = 7
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let round = 0; round < 300; round++) {
    const document = structuredClone(demo)
    const changes: string[] = []
    for (let change = 0; change <= random(4); change++) {
      let [holder, path]: [Document, string] = [document, '']
      for (;;) {
        const names = Object.keys(holder)
        const name = names[random(names.length)]
        if (name === undefined) break
        path += `/${name}`
        if (typeof holder[name] === 'object' && holder[name] !== null && random(8) > 0) {
          holder = holder[name]
          continue
        }
        const wrong = WRONG[random(WRONG.length)]
        if (random(3) === 0) holder[`unknown_${random(9)}`] = wrong
        else if (Array.isArray(holder)) holder.splice(Number(name), 1, wrong)
        else holder[name] = wrong
        break
      }
      changes.push(path)
    }
    requireSame(document, changes.join(' and '))
  }
})

test('lists too long, too short or wrong at both ends have the same issues', () => {
  const card = (rates: unknown[]) => ({
    ...demo,
    carriers: [
      {
        ...demo.carriers[0],
        settings: { list: Array.from({ length: 3_000 }, (_, n) => ({ n })), none: undefined },
        services: [
          {
            ...demo.carriers[0].services[0],
            rate_card: { zones: { metro: Array.from({ length: 2_500 }, (_, n) => `${3_000 + n}`) }, rates },
          },
        ],
      },
    ],
  })
  const rates = Array.from({ length: 20_001 }, (_, n) => ({ zone: 'metro', up_to_kg: n + 1, cents: n }))
  requireSame(card(rates.slice(1)), 'the longest list')
  requireSame(card(rates), 'a rate too many')
  requireSame(card([{}, ...rates.slice(2, 9_000), { zone: '', more: 1 }, 7]), 'wrong at both ends')
  requireSame({ ...demo, stores: Array(900).fill(demo.stores[0]).fill({}, 890), brands: [] }, 'wrong stores')
  requireSame({ ...demo, shared: rates, delivery_types: { bicycle: rates } }, 'parts that are not known')
})

test('a step reads few values of the longest document', () => {
  const rates = Array.from({ length: 20_000 }, (_, n) => ({ zone: 'metro', up_to_kg: n + 1, cents: n }))
  const [carrier] = demo.carriers
  const [service] = carrier.services
  const card = { zones: { metro: ['3000-3207'] }, rates }
  const document = {
    ...demo,
    carriers: Array(4).fill({ ...carrier, services: [{ ...service, price: undefined, rate_card: card }] }),
    stores: Array(1_000).fill(demo.stores[0]),
  }
  const { count } = run(parseInSteps(AccountDocument, document))
  // 320,000 values of rates and some 60,000 of stores, 2,000 in a step.
  assert.ok(count > 160, `${count} steps`)
})

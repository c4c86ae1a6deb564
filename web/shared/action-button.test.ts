import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'

const WEB = resolve(import.meta.dirname, '..')
const sources = globSync('**/*.tsx', { cwd: WEB }).map((path) => ({
  path,
  text: readFileSync(resolve(WEB, path), 'utf8'),
}))

test('every disabled button of a page gives its reason', () => {
  const dead = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/<(?:button|Button)\b(?:(?!<\/)[\s\S])*?\sdisabled[\s=/>]/g)].map(() => path),
  )
  assert.deepEqual(dead, [], 'use ActionButton with `busy`, or with `disabledReason`')
})

test('the pages avoid the private words that confused readers', () => {
  const words = new RegExp(
    ['See to it', 'aria-label="Mind"', '\\bProve\\b', 'Not me\\b', 'News of it'].join('|'),
  )
  const scripts = globSync('**/*.ts', { cwd: WEB, exclude: ['**/*.test.ts'] })
  const texts = scripts.map((path) => ({ path, text: readFileSync(resolve(WEB, path), 'utf8') }))
  assert.deepEqual(
    [...sources, ...texts].filter(({ text }) => words.test(text)).map(({ path }) => path),
    [],
  )
})

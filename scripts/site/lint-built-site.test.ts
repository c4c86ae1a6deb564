import assert from 'node:assert/strict'
import test from 'node:test'
import { lintBuiltSite } from './lint-built-site.ts'

const HTML = {
  'index.html':
    '<h1 id="top"></h1><a href="guides/portal/#keys">x</a><a href="/drover/">x</a><a href="#top">x</a>',
  'guides/portal/index.html': '<h2 id="keys"></h2><a href="../../">x</a><a href="https://a.example">x</a>',
}
const lint = (html: Record<string, string>) =>
  lintBuiltSite(new Map(Object.entries(html)), new Set([...Object.keys(html), 'a.css']), '/drover/')

test('links that resolve pass, to other hosts too', () => {
  assert.deepEqual(lint(HTML), [])
})

test('each kind of mistake is reported', () => {
  const mistakes: [string, RegExp][] = [
    ['<a href="../gone/">x</a>', /no such page/],
    ['<a href="/a.css">x</a>', /no such page/],
    ['<a href="guides/portal/#gone">x</a>', /no such heading/],
    ['<img alt="" src="gone.webp">', /no such page/],
    ['<script async src="https://a.example/x.js"></script>', /from another host/],
    ['<link rel="stylesheet" href="https://a.example/x.css">', /from another host/],
  ]
  for (const [text, why] of mistakes) {
    const [message, ...more] = lint({ ...HTML, 'index.html': text })
    assert.match(message ?? '', why)
    assert.deepEqual(more, [])
  }
})

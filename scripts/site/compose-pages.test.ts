import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { composePages } from './compose-pages.ts'
import { readSources } from './read-sources.ts'

const FILES = {
  'README.md':
    '# Drover\n\n## Start\n\n```sh\nnpm start # [not](a link)\n```\n\nSee [scale](docs/operations/scale.md).\n\n## Other\n\nMore.\n',
  'site/pages/index.md':
    '# Drover\n\nA [guide](../../docs/guides/portal.md#keys) and a [file](../../src/main.ts).\n',
  'site/pages/start.md':
    '# `npm` start\n\n<!-- README: Start -->\n\n![Today](../../docs/guides/pictures/today.webp)\n',
  'docs/guides/portal.md':
    '# The portal\n\n[Start](../../README.md#start), [scale](../operations/scale.md), [keys](#keys).\n\n## Keys\n',
  'docs/operations/scale.md': '# Scale\n\n[`README`](../../README.md)\n',
}
const OTHERS = ['src/main.ts', 'docs/guides/pictures/today.webp']

function pagesOf(over: Record<string, string> = {}, repositoryUrl: string | null = null) {
  const texts = new Map(Object.entries({ ...FILES, ...over }))
  const pages = composePages({
    texts,
    exists: (path) => texts.has(path) || OTHERS.includes(path),
    repositoryUrl,
  })
  return Object.fromEntries(pages.map(({ slug, text }) => [slug, text]))
}

test('links between pages are relative, so that the site works in any folder', () => {
  const pages = pagesOf()
  assert.match(
    pages['guides/portal'] ?? '',
    /\[scale\]\(\.\.\/\.\.\/operations\/scale\/\), \[keys\]\(#keys\)/,
  )
  assert.match(pages.index ?? '', /\[guide\]\(guides\/portal\/#keys\)/)
})

test('a section of the README stands on the page that includes it, commands unchanged, and links lead there', () => {
  const pages = pagesOf()
  assert.match(
    pages.start ?? '',
    /## Start\n\n```sh\nnpm start # \[not\]\(a link\)\n```\n\nSee \[scale\]\(\.\.\/operations\/scale\/\)\./,
  )
  assert.doesNotMatch(pages.start ?? '', /Other/)
  assert.match(pages['guides/portal'] ?? '', /\[Start\]\(\.\.\/\.\.\/start\/#start\)/)
  assert.match(pages['operations/scale'] ?? '', /\[`README`\]\(\.\.\/\.\.\/\)/)
})

test('a title moves to the front matter, without marks', () => {
  assert.match(pagesOf().start ?? '', /^---\ntitle: "npm start"\n/)
})

test('links to source files lead to the repository, or are plain text where it has no address', () => {
  assert.match(pagesOf().index ?? '', /a file \(`src\/main\.ts`\)\./)
  assert.match(
    pagesOf({}, 'https://git.example/main').index ?? '',
    /\(https:\/\/git\.example\/main\/src\/main\.ts\)/,
  )
})

test('every missing link, picture, section and title is reported', () => {
  const mistakes: [string, string, RegExp][] = [
    ['docs/operations/scale.md', '# Scale\n\n[a](gone.md)\n', /scale\.md links to gone\.md/],
    ['site/pages/start.md', '# Start\n\n![a](pictures/gone.webp)\n', /links to pictures\/gone\.webp/],
    ['site/pages/start.md', '# Start\n\n<!-- README: Gone -->\n', /includes the section Gone/],
    ['docs/operations/scale.md', 'No title\n', /scale\.md has no title/],
  ]
  for (const [file, text, why] of mistakes) assert.throws(() => pagesOf({ [file]: text }), why)
})

test("the five-minute start has the README's commands, which another test runs as they are", () => {
  const { texts, exists } = readSources()
  const pages = composePages({ texts, exists, repositoryUrl: null })
  const start = pages.find(({ slug }) => slug === 'start')?.text ?? ''
  const [, part = ''] = /^## Five minutes\n([\s\S]*?)^## /m.exec(texts.get('README.md') ?? '') ?? []
  const blocks = part.match(/^```sh\n[\s\S]*?^```/gm) ?? []
  assert.ok(blocks.length >= 5)
  for (const block of blocks) assert.ok(start.includes(block), block)
})

test('what the configuration of the site imports from here exists: nothing else in `npm test` loads it', async () => {
  const config = readFileSync(join(import.meta.dirname, '../../site', 'astro.config.mjs'), 'utf8')
  const [, names = '', path = ''] = /^import \{ (.+) \} from '\.\.\/(scripts\/.+)'$/m.exec(config) ?? []
  const found = await import(`../../${path}`)
  assert.ok(names.includes('SIDEBAR'))
  for (const name of names.split(', ')) assert.ok(name in found, name)
})

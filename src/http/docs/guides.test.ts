import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readGuides, toGuide } from './guides.ts'

test('every link between the guides leads to a guide and a heading that exist', () => {
  const guides = readGuides()
  assert.ok(guides.length >= 12)
  const anchorsOf = new Map(
    guides.map(({ name, body }) => [name, new Set(body.html.match(/(?<= id=")[^"]+/g) ?? [])]),
  )
  const broken = guides.flatMap(({ name, body }) =>
    [...body.html.matchAll(/href="(?:\/docs\/guides\/([a-z-]+))?(?:#([^"]+))?"/g)].flatMap(
      ([link, other = name, anchor]) => {
        const anchors = anchorsOf.get(other)
        return anchors && (anchor === undefined || anchors.has(anchor)) ? [] : [`${name}: ${link}`]
      },
    ),
  )
  assert.deepEqual(broken, [])
  assert.deepEqual(
    guides.filter(({ title, sections }) => title === '' || sections.length === 0),
    [],
  )
})

test('a guide’s texts are escaped, and a link to a file of the repository is plain text', () => {
  const { title, sections, body } = toGuide(
    'x',
    [
      '# A `b` & c',
      '## 1. Set `URL` & more',
      'See [people](people.md#two), [the code](../../src/main.ts) and [the web](https://example.com/?a=1&b=2).',
      '<script>alert(1)</script> and <b>bold</b>',
      '[bad](javascript:alert(1)) ![far](https://example.com/x.png) ![up](pictures/../portal.webp)',
      '![Today](pictures/today.webp)',
      '',
      '| a | b |',
      '|---|---|',
      '| `<i>` | *c* |',
      '',
      '```',
      '<img onerror=x>',
      '```',
    ].join('\n'),
  )
  assert.equal(title, 'A b & c')
  assert.deepEqual(sections, [{ id: '1-set-url--more', title: '1. Set URL & more' }])
  assert.match(body.html, /<a href="\/docs\/guides\/people#two">people<\/a>, <span>the code<\/span>/)
  assert.match(body.html, /<a href="https:\/\/example\.com\/\?a=1&#38;b=2">the web<\/a>/)
  assert.match(body.html, /<img src="data:image\/webp;base64,[A-Za-z0-9+/=&#;]+" alt="Today">/)
  assert.match(body.html, /<span>far<\/span> <span>up<\/span>/)
  const withoutPicture = body.html.replace(/<img src="data:[^>]*>/, '')
  assert.doesNotMatch(withoutPicture, /<script|<b>|<img|<i>|javascript:/)
  assert.match(body.html, /<td><em>c<\/em><\/td>/)
})

test('every guide that the portal links to exists, with its heading', () => {
  const sources = globSync('web/portal/**/*.tsx').map((path) => readFileSync(path, 'utf8'))
  const linked = sources.flatMap((source) => [...source.matchAll(/'([a-z-]+)(?:#([a-z0-9-]+))?', '[A-Z]/g)])
  const guides = new Map(readGuides().map((guide) => [guide.name, guide]))
  const known = linked.filter(([, name = '']) => guides.has(name))
  assert.ok(known.length >= 10, `${known.length}`)
  const broken = known.filter(
    ([, name = '', anchor]) => anchor && !guides.get(name)?.body.html.includes(`id="${anchor}"`),
  )
  assert.deepEqual(
    broken.map(([link]) => link),
    [],
  )
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testApi } from '../../../test/api.ts'
import { allEndpoints } from '../api/endpoints.ts'
import { readGuideSources, toFirstSentence, toServedMarkdown } from './guide-sources.ts'

test('every Markdown page answers, contains no HTML, and links only to what exists', async (t: TestContext) => {
  const { call } = await testApi(t, { work: false })
  const read = async (path: string) => call(`GET ${path}`, { token: null })
  const llms = await read('/llms.txt')
  const pages = [
    '/llms.txt',
    '/docs.md',
    '/docs/errors.md',
    ...readGuideSources().map(({ name }) => `/docs/guides/${name}.md`),
    ...allEndpoints().map(({ operationId }) => `/docs/operations/${operationId}.md`),
  ]
  const base = /\]\((https?:\/\/[^/]+)\/docs\.md\)/.exec(llms.text)?.[1] ?? ''
  const known = new Map<string, string>()
  const load = async (path: string): Promise<string> => {
    const { status, text } = await read(path)
    assert.equal(status, 200, path)
    known.set(path, text)
    return text
  }
  const wrong: string[] = []
  for (const path of pages) {
    const text = await load(path)
    wrong.push(...listHtml(text).map((tag) => `${path} has ${tag}`))
    for (const target of listLinks(text)) {
      const [to = '', anchor] = new URL(target, `${base}${path}`).href.replace(base, '').split('#')
      if (to.startsWith('https:')) continue
      const linked = known.get(to) ?? (await load(to))
      if (anchor && !listAnchors(linked).has(anchor)) wrong.push(`${path} links to ${target}`)
    }
  }
  assert.deepEqual(wrong, [])
  const linked = new Set(listLinks(llms.text).map((link) => link.replace(base, '')))
  assert.deepEqual(
    pages.slice(1).filter((path) => !linked.has(path)),
    [],
    'llms.txt names every page',
  )
})

test('a Markdown page is as cacheable as the HTML, and an unknown name is not found', async (t: TestContext) => {
  const { call } = await testApi(t, { work: false })
  for (const path of ['/llms.txt', '/docs/guides/people.md', '/docs/operations/createDelivery.md']) {
    const first = await call(`GET ${path}`, { token: null, headers: { 'accept-encoding': 'br' } })
    assert.equal(first.headers['content-type'], 'text/markdown; charset=utf-8')
    assert.equal(first.headers['content-encoding'], 'br')
    assert.equal(first.headers['cache-control'], 'no-cache')
    const etag = String(first.headers.etag)
    const again = await call(`GET ${path}`, { token: null, headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.text], [304, ''])
  }
  for (const path of ['/docs/guides/none.md', '/docs/operations/none.md', '/docs/guides/..%2Fcarriers.md']) {
    assert.equal((await call(`GET ${path}`, { token: null })).status, 404, path)
  }
})

test('the page of an operation has its fields with rules, an example, and the errors with remedies', async (t) => {
  const { call } = await testApi(t, { work: false })
  const { text } = await call('GET /docs/operations/createDelivery.md', { token: null })
  assert.match(text, /^# Create a delivery\n\n`POST \/\{tenant_id\}\/deliveries` \(`createDelivery`\)\n/)
  assert.match(text, /^Needs a bearer token with the scope `deliveries:write`, or the session /m)
  assert.match(text, /^- `Idempotency-Key` \(header\): string\. /m)
  assert.match(text, /^### DeliveryRequest$/m)
  assert.match(text, /^- `parcels` \(required\): list of \[[A-Za-z]+\]\(#[a-z]+\); at least 1; at most \d+/m)
  assert.match(text, /^```sh\ncurl -sS -X POST "\$BASE\/demo\/deliveries"/m)
  assert.match(text, /^- 409 `duplicate_reference`: .+\. .+\.$/m)
})

test('a served guide keeps its links to guides; a link to a file of the repository becomes its text', () => {
  const markdown = [
    '# A',
    '',
    'See [the',
    'code](../../src/main.ts), [`x`](../x.md) and [people](people.md#two). Then `[this](../y.md)`.',
    '',
    '```',
    '[that](../z.md)',
    '```',
  ].join('\n')
  const served = toServedMarkdown(markdown)
  assert.match(served, /See the\ncode, `x` and \[people\]\(people\.md#two\)\. Then `\[this\]\(\.\.\/y\.md\)`/)
  assert.match(served, /^\[that\]\(\.\.\/z\.md\)$/m)
  assert.equal(toFirstSentence(markdown), 'See the code, `x` and people.')
})

test('the first sentence of every guide says what the guide is for', () => {
  const wrong = readGuideSources().filter(({ markdown }) => !/^.{30,250}\.$/.test(toFirstSentence(markdown)))
  assert.deepEqual(
    wrong.map(({ name, markdown }) => `${name}: ${toFirstSentence(markdown)}`),
    [],
  )
})

function withoutCode(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').replaceAll(/`[^`\n]*`/g, '')
}

function listHtml(text: string): string[] {
  return withoutCode(text).match(/<\/?[a-z][^>]*>|&[a-z#0-9]+;/gi) ?? []
}

function listLinks(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}

/** As hosts of repositories make them. */
function listAnchors(text: string): Set<string> {
  const headings = text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/^#+ (.+)$/gm)
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guideFiles, lintMarkdown } from './lint-markdown.ts'

const files = new Set(['docs/a.md', 'docs/b.md', 'src/there.ts', 'docs/pictures/x.png'])
const lint = (text: string) =>
  lintMarkdown(
    [
      { path: 'docs/a.md', text },
      { path: 'docs/b.md', text: '# One `two` & three\n\n## Again\n\n## Again\n' },
    ],
    (path) => files.has(path),
  )

test('links to files and headings, and paths in backticks, must exist', () => {
  const good = [
    '[b](b.md) [here](#top) [root](../src/there.ts) [heading](b.md#one-two--three) [second](b.md#again-1)',
    '# Top',
    '`src/there.ts` `src/**/*.ts` `npm run check` [web](https://example.com/x.md)',
    '```sh\n[no link](gone.md) `src/gone.ts`\n```',
  ].join('\n\n')
  assert.deepEqual(lint(good), [])
  const bad = '[b](c.md) [b](b.md#two) [here](#nowhere) `src/gone.ts` ![x](pictures/y.png)'
  assert.deepEqual(lint(bad), [
    'docs/a.md links to c.md, which does not exist.',
    'docs/a.md links to b.md#two: docs/b.md has no such heading.',
    'docs/a.md links to #nowhere: docs/a.md has no such heading.',
    'docs/a.md links to pictures/y.png, which does not exist.',
    'docs/a.md names src/gone.ts, which does not exist.',
  ])
})

test('a TypeScript block in a guide names its file', () => {
  const named = '```ts\n// src/new.ts\nexport const a = 1\n```\n'
  assert.deepEqual(lint(`${named}\n\`\`\`ts\nconst b = 2\n\`\`\`\n`), [
    'docs/a.md:6 has TypeScript whose first line does not name its file, as `// src/….ts`',
  ])
  assert.deepEqual(guideFiles([{ path: 'docs/a.md', text: named }]), [
    { page: 'docs/a.md', line: 1, path: 'src/new.ts', text: '// src/new.ts\nexport const a = 1\n' },
  ])
})

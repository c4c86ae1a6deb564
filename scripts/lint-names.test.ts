import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsRenamedIn, lintNames, renamedIn } from './lint-names.ts'

const CHANGELOG = `## [0.1.0]

**Renamed**

| Kind | Old | New |
|---|---|---|
| metric | \`drover_old_total\` | \`drover_new_total\` |
| code | \`old_code\` | \`new_code\` |
| field (events) | \`again\` | \`duplicate\` |

**Behaviour**

| What changed | What to do |
`
const COLUMNS = `-- Why.
alter table old_rows rename to new_rows;
alter table new_rows rename column old_at to new_at;
alter table new_rows rename column said to message;
`
const RENAMED = [...renamedIn(CHANGELOG), ...columnsRenamedIn(COLUMNS)]
const lint = (path: string, text: string, openApi = '{}') => lintNames([{ path, text }], RENAMED, openApi)

test('the old names come from the changelog and the migration', () => {
  assert.deepEqual(
    RENAMED.map(({ kind, old, now }) => `${kind}: ${old}, ${now}`),
    [
      'metric: drover_old_total, drover_new_total',
      'code: old_code, new_code',
      'field (events): again, duplicate',
      'table: old_rows, new_rows',
      'column: old_at, new_at',
      'column: said, message',
    ],
  )
})

test('an old name that comes back is found in code, documents and OpenAPI', () => {
  const cases: [path: string, text: string, openApi: string, found: RegExp][] = [
    ['deploy/alerts.yaml', 'expr: drover_old_total > 0', '{}', /names the metric drover_old_total: it is/],
    ['docs/a.md', 'answers 409 `old_code`', '{}', /names the code old_code/],
    ['src/a.ts', 'const sql = `select old_at from new_rows`', '{}', /names the column old_at: it is new_at/],
    ['src/a.ts', 'const sql = `select 1 from old_rows`', '{}', /names the table old_rows/],
    ['src/a.ts', '', '{"properties":{"again":{"type":"boolean"}}}', /OpenAPI has the field again/],
    ['src/a.ts', '', '{"parameters":[{"name":"again","in":"query"}]}', /OpenAPI has the field again/],
  ]
  for (const [path, text, openApi, found] of cases) {
    const complaints = lint(path, text, openApi)
    assert.equal(complaints.length, 1, text)
    assert.match(complaints[0] ?? '', found)
  }
  assert.deepEqual(lint('src/a.ts', 'const new_code_old_codes = 1 // said again'), [])
})

test('private words are reported in names and comments, and allowed in strings and documents', () => {
  assert.match(lint('src/a.ts', 'const strayBookings = []')[0] ?? '', /strayBookings: say orphaned/)
  assert.match(lint('src/a.ts', "const a = ''\n\n// anew")[0] ?? '', /^src\/a.ts:3: anew: say/)
  assert.match(lint('src/a.ts', '// The delivery is planned anew.')[0] ?? '', /anew: say again/)
  assert.match(lint('src/a.ts', 'const MOST_CLAIMS = 8')[0] ?? '', /MOST_CLAIMS: a limit is MAX_/)
  assert.deepEqual(lint('src/a.ts', "const text = 'No news is good news'"), [])
  assert.deepEqual(lint('docs/a.md', 'news'), [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bindingOf } from './account-bound.ts'
import { findWrongStatements } from './statement-list.ts'
import { findStatements } from './statements.ts'

const FIND = `import { COLUMNS } from './rows.ts'
const FREE = 'lease_until is null'
const find = (db) => db.query({
  name: 'find-order',
  text: \`select \${COLUMNS} from orders where account_id = $1 and order_id = $2 and \${FREE}\`,
})`
const ROWS = `export const COLUMNS = 'order_id, status'`
const SOURCES = [
  { path: 'src/store/orders.ts', text: FIND },
  { path: 'src/store/rows.ts', text: ROWS },
]

test('a statement is found by its name, with the constants that it is made of', () => {
  assert.deepEqual(findStatements(SOURCES), [
    {
      name: 'find-order',
      path: 'src/store/orders.ts',
      texts: [
        'select order_id, status from orders where account_id = $1 and order_id = $2 and lease_until is null',
      ],
      binding: 'account',
    },
  ])
})

test('both forms of a statement have to name the account', () => {
  const text = FIND.replace('and ${FREE}', "${isOpen ? '' : 'or status is null'}")
  const [found] = findStatements([{ path: 'src/store/orders.ts', text }])
  assert.deepEqual([found?.texts.length, found?.binding], [2, 'unbound'])
})

test('SQL that is inserted into another statement is not listed separately', () => {
  const text = `const OLD = (table) => \`select order_id from \${table} where closed\`
    export const purge = (db) => db.query(
      \`delete from orders where account_id = $1 and order_id in (\${OLD('old_orders')})\`)`
  const found = findStatements([{ path: 'src/store/orders.ts', text }])
  assert.deepEqual(
    found.map(({ name, texts, binding }) => [name, texts.length, binding]),
    [['purge', 1, 'unbound']],
  )
})

test('a statement without an account must be marked, and a mark without a statement is reported', () => {
  const every = [{ path: 'src/store/orders.ts', text: `export const EVERY = 'select order_id from orders'` }]
  const mark = { EVERY: { kind: 'installation', why: 'an operator lists the orders' } } as const
  assert.match(findWrongStatements(findStatements(every), {}).join(), /orders\.ts: EVERY has a table without/)
  assert.deepEqual(findWrongStatements(findStatements(every), mark), [])
  assert.match(findWrongStatements(findStatements(SOURCES), mark).join(), /EVERY .*no longer exists/)
  const twice = [...every, { ...(every[0] as (typeof every)[number]), path: 'src/store/others.ts' }]
  assert.match(findWrongStatements(findStatements(twice), mark).join(), /Rename one/)
})

const CASES: readonly [binding: ReturnType<typeof bindingOf>, sql: string][] = [
  ['account', 'select * from a where account_id = $1'],
  ['account', 'select * from a join b using (account_id, id) where a.account_id = $1'],
  [
    'account',
    'select * from a left join b on b.account_id = a.account_id and b.id = a.id where a.account_id = $1',
  ],
  [
    'account',
    'select * from a as x, b as y where x.account_id = $1 and (y.account_id, y.id) = (x.account_id, x.id)',
  ],
  ['account', 'with x as (select id from a where account_id = $1) select * from x'],
  [
    'account',
    'select * from a where account_id = $1 and exists (select from b where b.account_id = a.account_id)',
  ],
  ['account', 'select (select count(*) from b where b.account_id = $1) from a where account_id = $1'],
  [
    'account',
    'update a set n = n + 1 from unnest($2::text[]) as g(id) where a.account_id = $1 and a.id = g.id',
  ],
  ['account', 'delete from a as x using b as y where x.account_id = $1 and y.account_id = x.account_id'],
  [
    'account',
    'insert into a (id, account_id) values ($2, $1) on conflict (account_id, id) do update set n = 1',
  ],
  ['account', 'insert into a (account_id, id) select b.account_id, id from b where account_id = $1'],
  ['account', 'select * from a where (account_id = $1 and (n = 1 or n = 2)) for update'],
  ['unbound', 'select * from a'],
  ['unbound', 'select * from a where account_id = any($1)'],
  ['unbound', 'select * from a where account_id = $1 or n = 1'],
  ['unbound', 'select * from a where not (account_id = $1)'],
  ['unbound', 'select * from a where a.account_id <> $1'],
  ['unbound', 'select * from a join b using (id) where a.account_id = $1'],
  ['unbound', 'select * from a left join b on b.account_id = a.account_id and a.account_id = $1'],
  ['unbound', 'select * from a left join b using (account_id, id) where b.account_id = $1'],
  ['unbound', 'select * from a where account_id = $1 union all select * from b'],
  ['unbound', 'select * from a where account_id = $1 and id in (select id from b)'],
  ['unbound', 'with x as (delete from a returning id) select * from b where account_id = $1'],
  ['unbound', 'select * from unnest($1::text[]) as g(account_id) join a using (account_id)'],
  ['unbound', 'insert into a (id) values ($1)'],
  ['unbound', 'insert into a (account_id, id) select account_id, id from b'],
  ['unbound', 'update a set account_id = $1'],
  ['no table', "select pg_notify($1, 'from a where')"],
  ['no table', 'select now() -- from a\n'],
]

for (const [binding, sql] of CASES)
  test(`${binding}: ${sql.trim()}`, () => assert.equal(bindingOf(sql), binding))

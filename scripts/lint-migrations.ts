/** A migration as a file: its name and its text. */
export type MigrationFile = { name: string; sql: string }

/** Mistakes in the migrations, one sentence each. Needs the whole list: numbers have no gaps. */
export function lintMigrations(files: readonly MigrationFile[]): string[] {
  return files.flatMap((file, index) => {
    const sql = withoutCommentsAndStrings(file.sql)
    const complaints = [numbering(file, index), ...RULES.map((rule) => rule({ ...file, bare: sql }))].flat()
    return complaints
      .filter((complaint) => complaint !== null)
      .map((complaint) => `${file.name}: ${complaint}`)
  })
}

/** Tables whose key does not start with the account, and the reason. */
const KEYED_OTHERWISE: Record<string, string> = {
  schema_migrations: 'the schema belongs to no account',
  operator_tokens: 'operators belong to no account',
}

/**
 * Migrations that cannot run beside processes of the release before: all processes stop first. None of them is after
 * 0.1.0, the first release.
 */
export const NEED_A_STOP: readonly string[] = ['0046_field_names.sql']

type Rule = (file: MigrationFile & { bare: string }) => string | string[] | null

const NO_TRANSACTION = '-- no-transaction'

const RULES: readonly Rule[] = [
  function saysWhy({ sql }) {
    const [first = '', second = ''] = sql.split('\n')
    const why = first.startsWith(NO_TRANSACTION) ? second : first
    return /^-- \S+ \S+/.test(why) ? null : 'its first line is a comment that says why it exists'
  },
  function lowerCase({ bare }) {
    const shouted = bare.match(/\b[A-Z]{2,}\b/)
    return shouted ? `SQL is written in lower case, not ${shouted[0]}` : null
  },
  function forwardOnly({ bare }) {
    const dropped = bare.match(/\bdrop\s+(table|column)\b/i)
    return dropped ? `${dropped[0]}: the release before this one still reads it` : null
  },
  function namesStay({ name, bare }) {
    const renames = /\balter\s+table\b[^;]*\brename\s+(?!constraint\b)/i.test(bare)
    return renames && !NEED_A_STOP.includes(name)
      ? 'rename: the release before this one still reads the old name'
      : null
  },
  function identityNotSerial({ bare }) {
    return /\b(big|small)?serial[248]?\b/i.test(bare) ? 'use generated always as identity, not serial' : null
  },
  function keysBeginWithAccount({ bare }) {
    return tablesOf(bare)
      .filter(({ name, body }) => !(name in KEYED_OTHERWISE) && !keyBeginsWithAccount(body))
      .map(
        ({ name }) =>
          `the primary key of ${name} begins with account_id (or the table is listed in KEYED_OTHERWISE)`,
      )
  },
  function indexesDoNotLock({ sql, bare }) {
    const made = new Set(tablesOf(bare).map(({ name }) => name))
    return indexesOf(bare)
      .filter(
        ({ table, concurrently }) => !made.has(table) && !(concurrently && sql.startsWith(NO_TRANSACTION)),
      )
      .map(
        ({ name, table }) =>
          `${name} on ${table}: create index concurrently, in a file that begins ${NO_TRANSACTION}`,
      )
  },
  function indexesCanBeMadeAgain({ bare }) {
    return indexesOf(bare)
      .filter(
        ({ name, concurrently }) =>
          concurrently && !bare.includes(`drop index concurrently if exists ${name};`),
      )
      .map(
        ({ name }) =>
          `begin with drop index concurrently if exists ${name}; (an interrupted attempt leaves an invalid index)`,
      )
  },
]

function numbering({ name }: MigrationFile, index: number): string | null {
  const expected = String(index + 1).padStart(4, '0')
  return new RegExp(`^${expected}_[a-z0-9_]+\\.sql$`).test(name)
    ? null
    : `its name should be ${expected}_what.sql`
}

function tablesOf(bare: string): { name: string; body: string }[] {
  const starts = bare.matchAll(/\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?([\w.]+)\s*\(/gi)
  return [...starts].map((start) => ({
    name: start[1] ?? '',
    body: balanced(bare, start.index + start[0].length),
  }))
}

/** The text up to the parenthesis that closes the one before `from`. */
function balanced(text: string, from: number): string {
  let depth = 1
  let at = from
  for (; at < text.length && depth > 0; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')') depth--
  }
  return text.slice(from, at - 1)
}

function keyBeginsWithAccount(body: string): boolean {
  return (
    /\baccount_id\s+\w+[^,]*\bprimary\s+key\b/i.test(body) ||
    /\bprimary\s+key\s*\(\s*account_id\b/i.test(body)
  )
}

function indexesOf(bare: string): { name: string; table: string; concurrently: boolean }[] {
  const found = bare.matchAll(
    /\bcreate\s+(?:unique\s+)?index\s+(concurrently\s+)?(?:if\s+not\s+exists\s+)?(\w+)\s+on\s+(?:only\s+)?([\w.]+)/gi,
  )
  return [...found].map(([, concurrently, name = '', table = '']) => ({
    name,
    table,
    concurrently: Boolean(concurrently),
  }))
}

function withoutCommentsAndStrings(sql: string): string {
  return sql
    .replace(/--[^\n]*/g, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/"[^"]*"/g, 'quoted')
}

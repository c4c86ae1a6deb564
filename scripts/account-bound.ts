/**
 * Decides whether a statement is bound to one account: whether each table that it reads or writes has an equality of
 * `account_id` with a parameter, directly or through the tables that it is joined to. Where this cannot see it, the
 * answer is no; a condition next to an `or` does not count.
 */

/** A word, or what is in a pair of parentheses. */
type Node = string | Node[]
/** `isRow`: whether its rows come from a table. The others are CTEs, subqueries and functions. */
type Relation = { alias: string; isRow: boolean }
/** The first is bound if the second is. */
type Pair = readonly [string, string]

export type Binding = 'account' | 'unbound' | 'no table'

const TOKEN =
  /--[^\n]*|'(?:[^']|'')*'|"[^"]*"(?:\.\w+)?|\$\d+|[a-z_…][\w…]*(?:\.(?:[\w…]+|\*))*|\d[\d.]*|::|[<>=!]+|[^\s]/giu
const QUERY = new Set(['select', 'insert', 'update', 'delete', 'with', 'values'])
const CLAUSES = new Set(
  `select from where on using set values returning group order having limit offset for union except intersect
   join left right full inner cross into update window conflict do`.split(/\s+/),
)
const NO_ALIAS = new Set([...CLAUSES, 'lateral', 'only', 'as', 'and', 'or', 'not', 'skip', 'natural', 'all'])
const LISTS_RELATIONS = new Set(['from', 'join', 'update', 'using'])
const OUTER = new Set(['left', 'right', 'full'])
/** After these words, `from` and `update` are parts of an operator or of a lock. */
const NOT_A_CLAUSE_AFTER: Record<string, ReadonlySet<string>> = {
  from: new Set(['distinct']),
  update: new Set(['for', 'key', 'do']),
}

export function bindingOf(sql: string): Binding {
  const scope = { ctes: new Set<string>(), outer: [], tables: 0 }
  const isBound = isQueryBound(nodesOf(sql), scope)
  if (scope.tables === 0) return 'no table'
  return isBound ? 'account' : 'unbound'
}

type Scope = { ctes: Set<string>; outer: readonly string[]; tables: number }

function nodesOf(sql: string): Node[] {
  const open: Node[][] = [[]]
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token.startsWith('--')) continue
    if (token === '(') open.push([])
    else if (token === ')') {
      const closed = open.pop() as Node[]
      open.at(-1)?.push(closed)
    } else open.at(-1)?.push(token.startsWith("'") ? "'" : token.toLowerCase())
  }
  return open[0] ?? []
}

const isQuery = (node: Node | undefined): boolean =>
  Array.isArray(node) && (QUERY.has(String(node[0])) || isQuery(node[0]))

/** Every part has to be bound by itself: a CTE or a subquery is therefore bound wherever it is named. */
function isQueryBound(nodes: readonly Node[], scope: Scope): boolean {
  const rest = withoutCtes(nodes, scope)
  const parts = splitAt(rest.main, (node) => node === 'union' || node === 'except' || node === 'intersect')
  const bodies = rest.bodies.map((body) => isQueryBound(body, scope))
  return [...bodies, ...parts.map((part) => isPartBound(part, scope))].every(Boolean)
}

function withoutCtes(nodes: readonly Node[], scope: Scope): { bodies: Node[][]; main: readonly Node[] } {
  if (nodes[0] !== 'with') return { bodies: [], main: nodes }
  const bodies: Node[][] = []
  let at = nodes[1] === 'recursive' ? 2 : 1
  for (;;) {
    scope.ctes.add(String(nodes[at]))
    const body = nodes.findIndex((node, index) => index > at && isQuery(node))
    if (body < 0) return { bodies, main: nodes.slice(at) }
    bodies.push(nodes[body] as Node[])
    at = body + 1
    if (nodes[at] !== ',') return { bodies, main: nodes.slice(at) }
    at += 1
  }
}

function isPartBound(part: readonly Node[], scope: Scope): boolean {
  if (part[0] === 'all' || part[0] === 'distinct') return isPartBound(part.slice(1), scope)
  const clauses = clausesOf(part)
  const relations = clauses.flatMap((clause) => relationsOf(clause, scope))
  scope.tables += relations.filter(({ isRow }) => isRow).length
  const inner: Scope = { ...scope, outer: [...scope.outer, ...relations.map(({ alias }) => alias)] }
  const nested = part.map((node) => areQueriesBound(node, inner)).every(Boolean)
  scope.tables = inner.tables
  const bound = new Set([
    ...scope.outer,
    'excluded',
    ...relations.filter((one) => !one.isRow).map((one) => one.alias),
  ])
  const pairs = clauses.flatMap((clause, index) => {
    const both = pairsOf(clause, relations).flatMap(([left, right]): Pair[] => [
      [left, right],
      [right, left],
    ])
    // The condition of an outer join leaves the other rows as they are.
    if (!OUTER.has(clauses[index - 2]?.word ?? '') || clause.word === 'where') return both
    const joined = relationsOf(clauses[index - 1] as Clause, scope)[0]?.alias
    return both.filter(([bound]) => bound === joined)
  })
  for (let before = -1; before !== bound.size; ) {
    before = bound.size
    for (const [left, right] of pairs) if (isKnown(right, bound)) bound.add(left)
  }
  return nested && isInsertBound(part, scope) && relations.every(({ alias }) => bound.has(alias))
}

const isKnown = (side: string, bound: ReadonlySet<string>) => side.startsWith('$') || bound.has(side)

function areQueriesBound(node: Node, scope: Scope): boolean {
  if (!Array.isArray(node)) return true
  return isQuery(node)
    ? isQueryBound(node, scope)
    : node.map((one) => areQueriesBound(one, scope)).every(Boolean)
}

type Clause = { word: string; nodes: Node[] }

function clausesOf(part: readonly Node[]): Clause[] {
  const clauses: Clause[] = []
  for (const [index, node] of part.entries()) {
    const isClause =
      typeof node === 'string' && CLAUSES.has(node) && !NOT_A_CLAUSE_AFTER[node]?.has(String(part[index - 1]))
    if (isClause) clauses.push({ word: node as string, nodes: [] })
    else clauses.at(-1)?.nodes.push(node)
  }
  return clauses
}

function relationsOf({ word, nodes }: Clause, scope: Scope): Relation[] {
  if (!LISTS_RELATIONS.has(word) || (word === 'using' && Array.isArray(nodes[0]))) return []
  return splitAt(nodes, (node) => node === ',').flatMap((item) => {
    const [first, second, ...rest] = item.filter((node) => node !== 'lateral' && node !== 'only')
    if (first === undefined) return []
    const isCall = typeof first === 'string' && Array.isArray(second)
    const after = isCall ? rest : [second, ...rest]
    const name = after.find((node) => typeof node === 'string' && !NO_ALIAS.has(node))
    const alias = String(name ?? (typeof first === 'string' ? first : '…'))
    // A list of accounts is not one account; a computed list of other values is.
    const listsAccounts = isCall && JSON.stringify(rest).includes('"account_id"')
    const isTable = !isCall && typeof first === 'string' && !scope.ctes.has(first)
    const isJoin = Array.isArray(first) && !isQuery(first)
    return [{ alias, isRow: isTable || listsAccounts || isJoin }]
  })
}

/** Which accounts a clause makes equal, as aliases and parameters. */
function pairsOf({ word, nodes }: Clause, relations: readonly Relation[]): Pair[] {
  if (word === 'using' && Array.isArray(nodes[0]))
    return nodes[0].includes('account_id') ? allPairs(relations.map(({ alias }) => alias)) : []
  return word === 'on' || word === 'where' ? equalities(nodes, relations) : []
}

const allPairs = (aliases: readonly string[]): Pair[] =>
  aliases.slice(1).map((alias) => [aliases[0] as string, alias])

function equalities(nodes: readonly Node[], relations: readonly Relation[]): Pair[] {
  if (nodes.includes('or')) return []
  return nodes.flatMap((node, index): Pair[] => {
    const [left, right] = [nodes[index - 1], nodes[index + 1]]
    // In parentheses, `and` is all that a condition is joined by; a call, a `not` or a `case` is something else.
    if (Array.isArray(node) && !isQuery(node) && (left === undefined || left === 'and'))
      return nodes[index + 1] === '=' || nodes[index + 1] === 'in' ? [] : equalities(node, relations)
    if (node === 'in' && Array.isArray(right) && isQuery(right))
      return sameRows(left, selected(right), relations)
    return node === '=' ? sameRows(left, right, relations) : []
  })
}

function sameRows(left: Node | undefined, right: Node | undefined, relations: readonly Relation[]): Pair[] {
  const [some, others] = [left, right].map((side) =>
    Array.isArray(side) && !isQuery(side)
      ? splitAt(side, (node) => node === ',').map((item) => item[0])
      : [side],
  ) as [Node[], Node[]]
  return some.flatMap((one, index) => {
    const other = others[index]
    return accountsOf(one, relations).flatMap((a) => accountsOf(other, relations).map((b): Pair => [a, b]))
  })
}

/** The first columns that a subquery returns, as the other side of `in`. */
function selected(query: readonly Node[]): Node[] {
  const end = query.indexOf('from')
  const list = query.slice(1, end < 0 ? undefined : end).filter((node) => node !== 'distinct')
  // Its rows are bound by themselves, and so is the column of their account.
  return list.map((node) => (/(^|\.)account_id$/.test(String(node)) ? '$0' : node))
}

function accountsOf(side: Node | undefined, relations: readonly Relation[]): string[] {
  if (typeof side !== 'string') return []
  if (side.startsWith('$')) return [side]
  if (side === 'account_id') return relations.filter(({ isRow }) => isRow).map(({ alias }) => alias)
  return side.endsWith('.account_id') ? [side.slice(0, -'.account_id'.length)] : []
}

/** Whether an `insert` writes the account that a parameter or its bound query gives. */
function isInsertBound(part: readonly Node[], scope: Scope): boolean {
  const into = part.indexOf('into')
  if (part[0] !== 'insert' || into < 0) return true
  scope.tables += 1
  const columns = part.slice(into).find((node): node is Node[] => Array.isArray(node)) ?? []
  const at = splitAt(columns, (node) => node === ',').findIndex(([column]) => column === 'account_id')
  const start = part.findIndex((node) => node === 'values' || node === 'select')
  if (at < 0 || start < 0) return false
  const from = part.findIndex((node, index) => index > start && node === 'from')
  const rows =
    part[start] === 'values'
      ? part.slice(start).filter((node): node is Node[] => Array.isArray(node))
      : [part.slice(start + 1, from < 0 ? undefined : from)]
  return isAccount(splitAt(rows[0] ?? [], (node) => node === ',')[at]?.[0])
}

const isAccount = (node: Node | undefined) =>
  typeof node === 'string' && /^\$\d+$|(^|\.)account_id$/.test(node)

function splitAt(nodes: readonly Node[], isEnd: (node: Node) => boolean): Node[][] {
  const parts: Node[][] = [[]]
  for (const node of nodes) {
    if (isEnd(node)) parts.push([])
    else parts.at(-1)?.push(node)
  }
  return parts
}

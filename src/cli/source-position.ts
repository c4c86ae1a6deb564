import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml'
import type { AccountMistake } from '../domain/account/validation/mistake.ts'

/**
 * The position of a mistake in its file, as an offset: at the key for an unknown field; at the parent's key
 * when something is missing; otherwise at the value.
 */
export function positionOf(
  document: Document,
  { path, kind }: Pick<AccountMistake, 'path' | 'kind'>,
): number {
  let node = resolved(document, document.contents)
  let offset = startOf(node)
  for (const [depth, step] of path.entries()) {
    const last = depth === path.length - 1
    const found = childOf(document, node, step)
    if (!found) return offset
    const keyAt = isNode(found.key) ? startOf(found.key) : startOf(found.value)
    node = resolved(document, found.value)
    // A list entry or a whole block starts at its key; a plain value starts at itself.
    offset = (last && kind === 'unknown_field') || !isScalar(node) ? keyAt : startOf(found.value)
  }
  return offset
}

type Child = { key: unknown; value: Node | null }

function childOf(document: Document, node: Node | null, step: string | number): Child | null {
  if (isSeq(node)) {
    const value = node.items[Number(step)]
    return isNode(value) ? { key: null, value } : null
  }
  return isMap(node) ? pairOf(document, node, String(step)) : null
}

/** A map's own pair, otherwise one that it merges in with `<<`. */
function pairOf(document: Document, map: YAMLMap, name: string): Child | null {
  const pairs = map.items as Pair<unknown, Node | null>[]
  const own = pairs.findLast(({ key }) => isScalar(key) && String(key.value) === name)
  if (own) return own
  for (const { key, value } of pairs) {
    if (!isScalar(key) || !isMergeKey(key.value)) continue
    const merged = resolved(document, value)
    for (const source of isSeq(merged) ? merged.items : [merged]) {
      const inner = resolved(document, isNode(source) ? source : null)
      const found = isMap(inner) ? pairOf(document, inner, name) : null
      if (found) return found
    }
  }
  return null
}

/** With `merge: true` the parser makes the key a symbol. */
function isMergeKey(key: unknown): boolean {
  return (typeof key === 'symbol' ? key.description : key) === '<<'
}

function resolved(document: Document, node: Node | null): Node | null {
  return isAlias(node) ? (node.resolve(document) ?? null) : node
}

function startOf(node: Node | null): number {
  return node?.range?.[0] ?? 0
}

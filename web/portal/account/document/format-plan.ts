import type { ApplyAnswer } from '../../../shared/api.generated.ts'

type Line = ApplyAnswer['data']['plan'][number]
export type PlanLine = Omit<Line, 'changes'> & { changes: readonly Line['changes'][number][] }
export const SIGNS = { add: '+', change: '~', remove: '−' } as const

/** `Store perth`, `Service swiftly NOW`. */
export function nameOf({ kind, name }: PlanLine): string {
  const words = kind.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${name}`
}

/** A value of a document's field, shortened. Without hours a store is closed. */
export function formatValue(value: unknown, field: string): string {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) {
    if (value.length === 0) return field.includes('hours') ? 'closed' : 'nothing'
    return value.map((one) => formatValue(one, field)).join(', ')
  }
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([name, inner]) => `${name.replaceAll('_', ' ')} ${formatValue(inner, `${field}.${name}`)}`)
      .join(', ')
  }
  return String(value)
}

/** Removals come first, because they can lose data. */
export function inOrder(plan: readonly PlanLine[]): PlanLine[] {
  const rank = { remove: 0, change: 1, add: 2 }
  return plan.toSorted((a, b) => rank[a.action] - rank[b.action])
}

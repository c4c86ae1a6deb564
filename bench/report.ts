import type { Figure } from './figures/figure.ts'
import { type Verdict, verdictOf } from './ratios.ts'

/** A figure and its verdict. */
export type Judged = Figure & { verdict: Verdict | null }

export function judged(figure: Figure): Judged {
  const { goal, value, ratio, noAsUnknown } = figure
  return {
    ...figure,
    verdict: noAsUnknown ? 'inconclusive' : goal && verdictOf(value, goal, ratio?.limitSpread),
  }
}

/** Figures as a table: required, goal, value, and parts. */
export function tableOf(figures: readonly Judged[]): string {
  return aligned([HEADINGS, ...figures.map(textFor)])
}

export const HEADINGS: readonly string[] = [
  'figure',
  'must',
  'aim',
  'now',
  'rounds',
  'verdict',
  'ours ÷ limit',
]

/** The cells of a figure's row, under `HEADINGS`. */
export function textFor(figure: Judged): string[] {
  return [
    figure.name,
    goalWords(figure, 'must'),
    goalWords(figure, 'aim'),
    valueWords(figure),
    rangeWords(figure),
    figure.verdict ?? '',
    figure.beside,
  ]
}

function goalWords({ goal, unit }: Figure, which: 'must' | 'aim'): string {
  if (!goal) return ''
  return `${goal.better === 'more' ? '≥' : '≤'} ${numberWords(goal[which], unit)}`
}

/** Units that a value is shown with. */
const SHOWN: ReadonlySet<Figure['unit']> = new Set(['MB', 'kB', 'ms'])

function valueWords({ value, unit }: Figure): string {
  return `${numberWords(value, unit)}${SHOWN.has(unit) ? ` ${unit}` : ''}`
}

function rangeWords({ ratio, unit }: Figure): string {
  return ratio ? `${numberWords(ratio.lowest, unit)}–${numberWords(ratio.highest, unit)}` : ''
}

function numberWords(value: number, unit: Figure['unit']): string {
  if (Number.isNaN(value)) return '–'
  return unit === 'MB' && Math.abs(value) >= 10
    ? value.toFixed(0)
    : String(Number(value.toFixed(value < 10 ? 2 : 1)))
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] as string).length)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

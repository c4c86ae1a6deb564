import { useRef } from 'react'
import { formatDollars } from '../../../src/domain/text/format-dollars.ts'
import { ChartCard } from './chart-card.tsx'
import {
  formatVersion,
  labelsOf,
  type Mark,
  mondaysOf,
  type Series,
  spreadLabels,
  toCostSeries,
  versionsByWeek,
} from './cost-series.ts'
import { CostTable } from './cost-table.tsx'
import { weekRows } from './export-insights.ts'
import { formatDate } from './format-figures.ts'
import type { Insights } from './insights-page.tsx'
import { useWidth } from './use-width.ts'

const HEIGHT = 260
const TOP = 24
const BOTTOM = HEIGHT - 28
const LEFT = 40
const DASHES = ['7 4', '2 3', '9 3 2 3', '12 4', '1 5']
const LABEL_PX = 18
const LETTER_PX = 6.4
const VERSION_PX = 92
/** With more lines than this, readers cannot tell them apart. */
const MAX_SERVICES = 5

/** Average cost by week: all carriers thick, services thin and dashed, each labelled at its end with its value. */
export function CostLines({ insights }: { insights: Insights }) {
  const series = toCostSeries(insights)
  const shown = series.slice(0, MAX_SERVICES + 1)
  const rest = series.length - shown.length
  return (
    <ChartCard
      id="cost"
      title="What does a delivery cost?"
      note={`by week, incl. GST${rest > 0 ? `; the ${MAX_SERVICES} busiest services` : ''}`}
      chart={
        insights.total.deliveries > insights.total.own_deliveries ? (
          <Lines series={shown} insights={insights} />
        ) : (
          <p className="dim">Your own couriers made every delivery, so no carrier charged you.</p>
        )
      }
      table={<CostTable series={series} insights={insights} />}
      csv={weekRows(insights)}
    />
  )
}

type LinesProps = { series: readonly Series[]; insights: Insights }

function Lines({ series, insights }: LinesProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box, 540)
  const right = width - Math.min(200, Math.round(width * 0.46))
  const weeks = mondaysOf(insights)
  const { low, high, ticks } = scaleOf(series)
  const x = (week: string) =>
    LEFT + (weeks.length < 2 ? 1 : weeks.indexOf(week) / (weeks.length - 1)) * (right - LEFT)
  const y = (value: number) => TOP + (1 - (value - low) / (high - low)) * (BOTTOM - TOP)
  const applied = [...versionsByWeek(insights.versions)]
  const marks = applied.map(([week, span]): Mark => ({ x: x(week), ...span }))
  const ends = spreadLabels(
    series.map(({ points }) => y(points.at(-1)?.cents ?? low)),
    LABEL_PX,
    BOTTOM + 8,
  )
  return (
    <div ref={box}>
      <svg
        className="cost-lines"
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={spoken(series, applied)}
      >
        {ticks.map((value) => (
          <g key={value}>
            <path className="grid-line" d={`M${LEFT} ${y(value)}H${right}`} />
            <text x={LEFT - 8} y={y(value) + 4} textAnchor="end">
              ${value / 100}
            </text>
          </g>
        ))}
        {dated(weeks, x, right).map((week) => (
          <text key={week} x={x(week)} y={HEIGHT - 6} textAnchor={week === weeks[0] ? 'start' : 'middle'}>
            {formatDate(week)}
          </text>
        ))}
        <text x={right} y={HEIGHT - 6} textAnchor="end">
          {formatDate(insights.to)}
        </text>
        <Versions marks={marks} edge={right} />
        {series.map(({ name, points }, index) => {
          const last = points.at(-1)
          if (!last) return null
          const path = points.map(({ week, cents }) => `${x(week)} ${y(cents)}`).join('L')
          const value = last.week === weeks.at(-1) ? '' : `${formatDate(last.week)}: `
          const figure = value + formatDollars(last.cents)
          const letters = Math.floor((width - right - 18) / LETTER_PX) - figure.length
          return (
            <g key={name} className={index === 0 ? 'all' : 'one'}>
              <path d={`M${path}`} strokeDasharray={index === 0 ? undefined : DASHES[index - 1]} />
              {points.length === 1 && <circle cx={x(last.week)} cy={y(last.cents)} r="3.5" />}
              <text className="end" x={right + 10} y={(ends[index] ?? 0) + 4}>
                {name.length > letters ? `${name.slice(0, letters - 1).trimEnd()}…` : name}
              </text>
              <text className="end figure" x={width - 2} y={(ends[index] ?? 0) + 4} textAnchor="end">
                {figure}
              </text>
            </g>
          )
        })}
      </svg>
    </div>
  )
}

/** Versions of the account document, each at the first week that began with it. */
function Versions({ marks, edge }: { marks: readonly Mark[]; edge: number }) {
  return (
    <g className="versions">
      {marks.map(({ x }) => (
        <path key={x} d={`M${x} ${TOP - 18}V${BOTTOM}`} />
      ))}
      {labelsOf(marks, { edge, width: VERSION_PX }).map((label) => (
        <text
          key={label.x}
          x={label.x + (label.atEnd ? -5 : 5)}
          y={TOP - 9}
          textAnchor={label.atEnd ? 'end' : 'start'}
        >
          {formatVersion(label)}
        </text>
      ))}
    </g>
  )
}

/** Five grid lines at whole dollars around all values. */
function scaleOf(series: readonly Series[]): { low: number; high: number; ticks: number[] } {
  const cents = series.flatMap(({ points }) => points.map((point) => point.cents))
  const low = Math.floor(Math.min(...cents) / 100) * 100
  const step = Math.max(100, Math.ceil((Math.max(...cents) - low) / 400) * 100)
  return { low, high: low + 4 * step, ticks: [0, 1, 2, 3, 4].map((tick) => low + tick * step) }
}

/** The weeks whose dates fit below. */
function dated(weeks: readonly string[], x: (week: string) => number, right: number): string[] {
  const out: string[] = []
  const far = Math.max(64, (right - LEFT) / 3)
  for (const week of weeks) {
    const before = out.at(-1)
    if ((before === undefined || x(week) - x(before) >= far) && right - x(week) >= 52) out.push(week)
  }
  return out
}

function spoken(series: readonly Series[], applied: [week: string, span: { from: number; to: number }][]) {
  const costs = series.map(({ name, points }) => {
    const last = points.at(-1)
    return last ? `${name} ${formatDollars(last.cents)} in the week of ${formatDate(last.week)}` : name
  })
  const versions = applied.map(([week, span]) => `${formatVersion(span)} in the week of ${formatDate(week)}`)
  return versions.length === 0
    ? costs.join(', ')
    : `${costs.join(', ')}. Settings applied: ${versions.join(', ')}`
}

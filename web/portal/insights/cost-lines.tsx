import { dollars } from '../../shared/money.ts'
import { Wide } from '../wide.tsx'
import { ChartCard } from './chart-card.tsx'
import { costSeries, type Series } from './cost-series.ts'
import type { Insights } from './insights-page.tsx'

const WIDTH = 540
const HEIGHT = 250
const LEFT = 44
const RIGHT = 200
/** What has room beside a price of three figures; the table has the whole name. */
const NAME_LETTERS = 23
const DASHES = ['7 4', '2 3', '9 3 2 3', '12 4', '1 5']
const LABEL_PX = 18

/** What one costs by week: all deliveries thick, services thin and dashed, each named at its end with its value. */
export function CostLines({ insights }: { insights: Insights }) {
  const series = costSeries(insights)
  return (
    <ChartCard
      id="cost"
      title="What does one cost?"
      note="by week, GST in"
      chart={<Lines series={series} />}
      table={<CostTable series={series} />}
    />
  )
}

function Lines({ series }: { series: readonly Series[] }) {
  const all = [...new Set(series.flatMap(({ points }) => points.map(({ week }) => week)))].sort()
  const cents = series.flatMap(({ points }) => points.map((point) => point.cents))
  const low = Math.floor(Math.min(...cents) / 100) * 100
  const step = Math.max(100, Math.ceil((Math.max(...cents) - low) / 400) * 100)
  const high = low + 4 * step
  const x = (week: string) =>
    LEFT + (all.length < 2 ? 1 : all.indexOf(week) / (all.length - 1)) * (WIDTH - LEFT - RIGHT)
  const y = (value: number) => 12 + (1 - (value - low) / (high - low)) * (HEIGHT - 40)
  const ticks = [0, 1, 2, 3, 4].map((tick) => low + tick * step)
  const labels = apart(series.map(({ points }) => y(points.at(-1)?.cents ?? low)))
  return (
    <svg className="cost-lines" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={spoken(series)}>
      {ticks.map((value) => (
        <g key={value}>
          <path className="grid-line" d={`M${LEFT} ${y(value)}H${WIDTH - RIGHT}`} />
          <text x={LEFT - 8} y={y(value) + 4} textAnchor="end">
            ${Math.round(value / 100)}
          </text>
        </g>
      ))}
      <text x={LEFT} y={HEIGHT - 6}>
        {all[0]?.slice(5)}
      </text>
      <text x={WIDTH - RIGHT} y={HEIGHT - 6} textAnchor="end">
        now
      </text>
      {series.map(({ name, points }, index) => {
        const last = points.at(-1)
        if (!last) return null
        const path = points.map(({ week, cents: value }) => `${x(week)} ${y(value)}`).join('L')
        return (
          <g key={name} className={index === 0 ? 'all' : 'one'}>
            <path d={`M${path}`} strokeDasharray={index === 0 ? undefined : DASHES[index - 1]} />
            {points.length === 1 && <circle cx={x(last.week)} cy={y(last.cents)} r="3.5" />}
            <text className="end" x={WIDTH - RIGHT + 10} y={(labels[index] ?? 0) + 4}>
              {name.length > NAME_LETTERS ? `${name.slice(0, NAME_LETTERS - 1).trimEnd()}…` : name}
            </text>
            <text className="end figure" x={WIDTH - 2} y={(labels[index] ?? 0) + 4} textAnchor="end">
              {dollars(last.cents)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

/** Labels that would lie on each other move down. */
function apart(places: readonly number[]): number[] {
  const order = places.map((place, index) => ({ place, index })).sort((a, b) => a.place - b.place)
  const out = [...places]
  let before = Number.NEGATIVE_INFINITY
  for (const { place, index } of order) {
    before = Math.max(place, before + LABEL_PX)
    out[index] = before
  }
  return out
}

function spoken(series: readonly Series[]): string {
  return series
    .map(({ name, points }) => `${name} ${dollars(points.at(-1)?.cents ?? 0)} in the last week`)
    .join(', ')
}

function CostTable({ series }: { series: readonly Series[] }) {
  const weeks = [...new Set(series.flatMap(({ points }) => points.map(({ week }) => week)))].sort()
  return (
    <Wide label="Cost by week">
      <table className="plain">
        <thead>
          <tr>
            <th scope="col">Week of</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="num">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week}>
              <th scope="row">{week}</th>
              {series.map(({ name, points }) => {
                const point = points.find((one) => one.week === week)
                return (
                  <td key={name} className="num">
                    {point ? dollars(point.cents) : 'none'}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

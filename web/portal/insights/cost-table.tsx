import { formatDollars } from '../../../src/domain/text/format-dollars.ts'
import { Wide } from '../wide.tsx'
import { formatVersion, mondaysOf, type Series, versionsByWeek } from './cost-series.ts'
import { weekWithin } from './costs/week-within.ts'
import { Figure } from './figure.tsx'
import { formatDate } from './format-figures.ts'
import type { Insights } from './insights-page.tsx'

/** The figures of the lines, for every service, and the versions between them. A week opens its deliveries. */
export function CostTable({ series, insights }: { series: readonly Series[]; insights: Insights }) {
  const versions = versionsByWeek(insights.versions)
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
            <th scope="col">Settings applied</th>
          </tr>
        </thead>
        <tbody>
          {mondaysOf(insights).map((week) => {
            const span = versions.get(week)
            return (
              <tr key={week}>
                <th scope="row">
                  <Figure narrow={within(insights, week)}>{formatDate(week)}</Figure>
                </th>
                {series.map(({ name, points }) => {
                  const point = points.find((one) => one.week === week)
                  return (
                    <td key={name} className="num">
                      {point ? formatDollars(point.cents) : 'none'}
                    </td>
                  )
                })}
                <td>{span && formatVersion(span)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Wide>
  )
}

function within(insights: Insights, week: string) {
  const { from, to } = weekWithin(insights, week)
  return { ended_from: from, ended_to: to }
}

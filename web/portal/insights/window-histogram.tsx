import { vars } from '../../shared/vars.ts'
import { ChartCard } from './chart-card.tsx'
import { serviceRows } from './export-insights.ts'
import { Count, Figure, Share } from './figure.tsx'
import { serviceName } from './format-figures.ts'
import type { Insights } from './insights-page.tsx'
import { toServiceFilter } from './to-service-filter.ts'

type Services = Insights['services']

/** One row for each service on one axis whose unit is the promised window: early grey, inside blue, late hatched. */
export function WindowHistogram({ insights }: { insights: Insights }) {
  const withWindow = insights.services.filter((one) => one.delivered_with_window > 0)
  const max = Math.max(
    0,
    ...withWindow.flatMap((one) => one.bins.map((count) => count / one.delivered_with_window)),
  )
  return (
    <ChartCard
      id="on-time"
      title="Did deliveries arrive on time?"
      note="each blue bar is a tenth of the promised window"
      chart={
        <div className="histograms">
          <div className="hist-head" aria-hidden="true">
            <span />
            <span className="marks">
              <i className="early">early</i>
              <i className="opens">window opens</i>
              <i className="closes-at">closes</i>
              <i className="late">late: up to 15, 30, 60 min, or more</i>
            </span>
            <span className="num">on time</span>
          </div>
          {withWindow.map((one) => (
            <Row key={serviceName(one)} service={one} max={max} />
          ))}
          {withWindow.length === 0 && (
            <p className="dim">No delivered orders had a promised delivery window.</p>
          )}
        </div>
      }
      table={<HistogramTable services={withWindow} />}
      csv={serviceRows(insights)}
    />
  )
}

/** `max`: the largest share of any service in a bin, so that heights are comparable. */
function Row({ service, max }: { service: Services[number]; max: number }) {
  const { deliveries, returned, delivered_with_window: withWindow } = service
  const delivered = deliveries - returned
  return (
    <div className="hist-row">
      <span>
        <b>{serviceName(service)}</b>
        <br />
        <span className="dim small">
          <Figure narrow={{ ...toServiceFilter(service), status: 'delivered' }}>
            {delivered.toLocaleString('en-AU')} delivered
          </Figure>
          {withWindow < delivered && `, ${withWindow.toLocaleString('en-AU')} with a delivery window`}
        </span>
      </span>
      <span className="bins" aria-hidden="true">
        {service.bins.map((count, bin) => (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the bin.
            key={bin}
            className={kindOf(bin)}
            style={vars({ h: (count / withWindow / max) * 100 })}
          />
        ))}
      </span>
      <b className="num share">
        <Inside service={service} />
      </b>
    </div>
  )
}

function Inside({ service }: { service: Services[number] }) {
  const narrow = { ...toServiceFilter(service), timeliness: 'on_time' }
  return <Share part={service.on_time} whole={service.delivered_with_window} narrow={narrow} />
}

function kindOf(bin: number): string {
  if (bin < 2) return 'bin early'
  return bin < 12 ? 'bin inside' : 'bin late'
}

function HistogramTable({ services }: { services: Services }) {
  return (
    <table className="plain">
      <thead>
        <tr>
          <th scope="col">Service</th>
          <th scope="col" className="num">
            Early
          </th>
          <th scope="col" className="num">
            On time
          </th>
          <th scope="col" className="num">
            Late
          </th>
          <th scope="col" className="num">
            Share on time
          </th>
        </tr>
      </thead>
      <tbody>
        {services.map((one) => (
          <tr key={serviceName(one)}>
            <th scope="row">{serviceName(one)}</th>
            <td className="num">
              <Count of={one.early} narrow={{ ...toServiceFilter(one), timeliness: 'early' }} />
            </td>
            <td className="num">
              <Count of={one.on_time} narrow={{ ...toServiceFilter(one), timeliness: 'on_time' }} />
            </td>
            <td className="num">
              <Count of={one.late} narrow={{ ...toServiceFilter(one), timeliness: 'late' }} />
            </td>
            <td className="num">
              <Inside service={one} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

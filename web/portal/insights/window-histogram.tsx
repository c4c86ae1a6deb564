import { vars } from '../../shared/vars.ts'
import { ChartCard } from './chart-card.tsx'
import type { Insights } from './insights-page.tsx'
import { serviceName, shareWords } from './words.ts'

type Services = Insights['services']

/** One row for each service on one axis whose unit is the promised window: early grey, inside blue, late hatched. */
export function WindowHistogram({ services }: { services: Services }) {
  const timed = services.filter((one) => one.timed > 0)
  return (
    <ChartCard
      id="on-time"
      title="Did they come when we said?"
      note="each bar is a tenth of the promised window"
      chart={
        <div className="histograms">
          <div className="hist-head" aria-hidden="true">
            <span />
            <span className="marks">
              <i className="early">early</i>
              <i className="opens">window opens</i>
              <i className="closes-at">closes</i>
              <i className="late">late: 15, 30, 60 min, more</i>
            </span>
            <span className="num">inside</span>
          </div>
          {timed.map((one) => (
            <Row key={serviceName(one)} service={one} />
          ))}
          {timed.length === 0 && <p className="dim">Nothing that came had a window.</p>}
        </div>
      }
      table={<HistogramTable services={timed} />}
    />
  )
}

function Row({ service }: { service: Services[number] }) {
  const most = Math.max(1, ...service.bins)
  return (
    <div className="hist-row">
      <span>
        <b>{serviceName(service)}</b>
        <br />
        <span className="dim small">{service.timed} came</span>
      </span>
      <span className="bins" aria-hidden="true">
        {service.bins.map((count, bin) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bin is its place.
          <i key={bin} className={kindOf(bin)} style={vars({ h: (count / most) * 100 })} />
        ))}
      </span>
      <b className="num share">{shareWords(service.inside, service.timed)}</b>
    </div>
  )
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
            Inside
          </th>
          <th scope="col" className="num">
            Late
          </th>
          <th scope="col" className="num">
            Share inside
          </th>
        </tr>
      </thead>
      <tbody>
        {services.map((one) => (
          <tr key={serviceName(one)}>
            <th scope="row">{serviceName(one)}</th>
            <td className="num">{one.early}</td>
            <td className="num">{one.inside}</td>
            <td className="num">{one.late}</td>
            <td className="num">{shareWords(one.inside, one.timed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

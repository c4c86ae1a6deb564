import type { Metric, Registry } from 'prom-client'

/** Adds one measurement. */
export type Observe = (value: number) => void

type Series = { labels: Readonly<Record<string, string | number>>; counts: Float64Array; sum: number }
type Sample = { metricName: string; labels: Record<string, string | number>; value: number }

/**
 * A histogram whose series the caller looks up once. The library's own looks them up by label at each measurement,
 * which takes ten times as long as counting. `bounds` ascend; a value equal to a bound is within it.
 */
export function histogram(
  registry: Registry,
  { name, help, bounds }: { name: string; help: string; bounds: readonly number[] },
): (labels: Series['labels']) => Observe {
  const all: Series[] = []
  const metric = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({ ...metric, values: all.flatMap((series) => samplesOf(name, bounds, series)) }),
    reset() {
      for (const series of all) {
        series.counts.fill(0)
        series.sum = 0
      }
    },
  }
  // This is all that the registry uses of a metric, though its type names the library's own class.
  registry.registerMetric(metric as unknown as Metric<string>)

  return (labels) => {
    const series: Series = { labels, counts: new Float64Array(bounds.length + 1), sum: 0 }
    all.push(series)
    return (value) => {
      let place = 0
      while (place < bounds.length && value > (bounds[place] as number)) place++
      series.counts[place] = (series.counts[place] as number) + 1
      series.sum += value
    }
  }
}

/** Buckets are cumulative: each counts all values at or below its bound. */
function samplesOf(name: string, bounds: readonly number[], { labels, counts, sum }: Series): Sample[] {
  let count = 0
  const buckets = [...bounds, '+Inf'].map((le, place) => {
    count += counts[place] as number
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: { ...labels }, value: sum },
    { metricName: `${name}_count`, labels: { ...labels }, value: count },
  ]
}

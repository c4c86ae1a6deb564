import type { Curve } from './figures/figure.ts'

const WIDTH = 420
const HEIGHT = 180
/** Margin for the axis labels. */
const LEFT = 56
const BELOW = 34
const ABOVE = 10

/** Points joined by a line, with the smallest and the largest value at each axis. */
export function curveSvg({ x, y, logarithmic, points, limit }: Curve): string {
  const scale = logarithmic ? Math.log : (value: number) => value
  const [xs, ys] = [points.map(([one]) => scale(one)), points.map(([, one]) => scale(one))]
  const shown = limit === undefined ? ys : [...ys, scale(limit)]
  const across = placer(xs, LEFT, WIDTH - 10)
  const up = placer(logarithmic ? shown : [0, ...shown], HEIGHT - BELOW, ABOVE)
  const line = xs.map((one, index) => `${across(one)},${up(ys[index] as number)}`).join(' ')
  const ends = (values: readonly (readonly [number, number])[], axis: 0 | 1) => {
    const all = values.map((one) => one[axis])
    return [Math.min(...all), Math.max(...all)] as const
  }
  const [left, right] = ends(points, 0)
  const [low, high] = ends(points, 1)
  return `<svg width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${y} over ${x}" font-size="12" fill="#59636e">
<path d="M${LEFT} ${ABOVE}V${HEIGHT - BELOW}H${WIDTH - 10}" fill="none" stroke="#d1d9e0"/>
${limit === undefined ? '' : `<path d="M${LEFT} ${up(scale(limit))}H${WIDTH - 10}" stroke="#c4314b" stroke-dasharray="4"/>`}
<polyline points="${line}" fill="none" stroke="#0969da" stroke-width="1.5"/>
<text x="${LEFT - 6}" y="${up(scale(high)) + 4}" text-anchor="end">${words(high)}</text>
<text x="${LEFT - 6}" y="${up(scale(low)) + 4}" text-anchor="end">${low === high ? '' : words(low)}</text>
<text x="${LEFT}" y="${HEIGHT - BELOW + 15}">${words(left)}</text>
<text x="${WIDTH - 10}" y="${HEIGHT - BELOW + 15}" text-anchor="end">${words(right)}</text>
<text x="${(LEFT + WIDTH) / 2}" y="${HEIGHT - 4}" text-anchor="middle">${x}${logarithmic ? ', logarithmic' : ''}</text></svg>`
}

function placer(values: readonly number[], from: number, to: number): (value: number) => number {
  const low = Math.min(...values)
  const span = Math.max(...values) - low || 1
  return (value) => Number((from + ((value - low) / span) * (to - from)).toFixed(1))
}

function words(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en')
}

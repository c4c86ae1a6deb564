import { curveSvg } from './plot.ts'
import { HEADINGS, type Judged, textFor } from './report.ts'

/** Sizes of a plot, in its own units; the required goal is in the middle. */
const WIDTH = 300
const HEIGHT = 22
/** From a quarter of the required goal to four times it. */
const DECADES = 2

const COLOURS = { aim: '#1a7f37', must: '#9a6700', 'below must': '#c4314b', inconclusive: '#6e7781' } as const

/** One self-contained page: the table, and each figure's place between its goals. */
export function htmlOf(facts: Readonly<Record<string, unknown>>, figures: readonly Judged[]): string {
  const cells = (words: readonly string[], tag: string) =>
    words.map((word) => `<${tag}>${escaped(word)}</${tag}>`).join('')
  const rows = figures.map((figure) => `<tr>${cells(textFor(figure), 'td')}<td>${plotOf(figure)}</td></tr>`)
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Drover: the bench of ${escaped(String(facts.at))}</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color: #1f2328 }
  table { border-collapse: collapse } th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #d1d9e0 }
  figure { display: inline-block; margin: 0 2rem 1rem 0 } figcaption { font-weight: 600 }
  pre { background: #f6f8fa; padding: 1rem; overflow-x: auto }
</style>
<h1>Drover: the bench</h1>
<p>Ratios to a limit measured in the same seconds; better is to the right. The thick line must be passed, the thin one is
aimed at, the bar spans the rounds. The scale is logarithmic: each end is a factor of four away from what must be.</p>
<table><tr>${cells([...HEADINGS, 'where'], 'th')}</tr>
${rows.join('\n')}
</table>
${curvesOf(figures)}
<h2>Machine and plan</h2>
<pre>${escaped(JSON.stringify(facts, null, 2))}</pre>
</html>
`
}

function plotOf({ goal, value, ratio, verdict, name }: Judged): string {
  if (!goal || verdict === null) return ''
  const { must, aim, better } = goal
  const place = (of: number): number => {
    // A goal of zero has no factor: it is reached or it is not.
    if (must === 0) return of === 0 ? WIDTH : 0
    const factor = Math.log2(Math.max(of, must / 1e3) / must) * (better === 'more' ? 1 : -1)
    return Math.min(WIDTH, Math.max(0, (factor / (2 * DECADES) + 0.5) * WIDTH))
  }
  const line = (x: number, width: number) =>
    `<line x1="${x}" x2="${x}" y1="0" y2="${HEIGHT}" stroke="#1f2328" stroke-width="${width}"/>`
  const ends = ratio ? [place(ratio.lowest), place(ratio.highest)] : [place(value), place(value)]
  const [from, to] = [Math.min(...ends), Math.max(...ends)]
  return `<svg width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${escaped(`${name}: ${verdict}`)}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#f6f8fa"/>${line(place(must), 2)}${line(place(aim), 1)}
<rect x="${from}" y="8" width="${Math.max(1, to - from)}" height="6" fill="${COLOURS[verdict]}" opacity=".4"/>
<circle cx="${place(value)}" cy="11" r="5" fill="${COLOURS[verdict]}"/></svg>`
}

function curvesOf(figures: readonly Judged[]): string {
  const drawn = figures.flatMap(({ name, curve }) =>
    curve && curve.points.length > 1 ? { name, curve } : [],
  )
  if (drawn.length === 0) return ''
  const one = ({ name, curve }: (typeof drawn)[number]) =>
    `<figure><figcaption>${escaped(name)}</figcaption>${curveSvg(curve)}<div>${escaped(curve.y)}</div></figure>`
  return `<h2>How they came about</h2>\n${drawn.map(one).join('\n')}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

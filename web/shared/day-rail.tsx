import type { Hue } from '../../src/domain/delivery/status-labels.ts'
import { vars } from './vars.ts'

/** The hours that a rail shows, in epoch milliseconds. */
export type Axis = { fromMs: number; toMs: number }

export type RailBar = {
  hue: Hue
  readyMs: number | null
  window: { fromMs: number; toMs: number } | null
  /** `guess`: before booking. `promised`: the outline. `full`: under way. `late`: past and not delivered. */
  kind: 'guess' | 'promised' | 'full' | 'late'
  nowMs: number
  doneMs?: number | null
  /** Text inside the bar, if it is wide enough. */
  label?: string
}

/** A moment's place on the axis in per cent, clamped to it. */
export function placeOn({ fromMs, toMs }: Axis, ms: number): number {
  return Math.round(Math.min(1, Math.max(0, (ms - fromMs) / (toMs - fromMs))) * 10_000) / 100
}

/** One delivery on the day: ready, wait, window, and result. A picture; its words are beside it. */
export function DayRail({ axis, bar }: { axis: Axis; bar: RailBar }) {
  const { readyMs, window, kind, nowMs, hue } = bar
  const place = (ms: number) => placeOn(axis, ms)
  const beyond = window !== null && window.fromMs >= axis.toMs
  const lead = readyMs !== null && window && { from: readyMs, to: beyond ? axis.toMs : window.fromMs }
  const shown = window && !beyond && window.toMs > axis.fromMs
  return (
    <span className={`rail k-${hue}`} aria-hidden="true">
      {nowMs >= axis.fromMs && nowMs <= axis.toMs && <i className="nl" style={vars({ a: place(nowMs) })} />}
      {lead && lead.to > lead.from && (
        <i className="lead" style={vars({ a: place(lead.from), b: place(lead.to) })} />
      )}
      {readyMs !== null && readyMs >= axis.fromMs && readyMs < axis.toMs && (
        <i className="rdy" style={vars({ a: place(readyMs) })} />
      )}
      {shown && (
        <i className={`win ${kind}`} style={vars({ a: place(window.fromMs), b: place(window.toMs) })}>
          {bar.label}
        </i>
      )}
      {kind === 'late' && window && nowMs > window.toMs && (
        <i className="lead lag" style={vars({ a: place(window.toMs), b: place(nowMs) })} />
      )}
      {beyond && <i className="beyond" />}
      {bar.doneMs != null && bar.doneMs >= axis.fromMs && bar.doneMs <= axis.toMs && (
        <i className="at" style={vars({ a: place(bar.doneMs) })} />
      )}
    </span>
  )
}

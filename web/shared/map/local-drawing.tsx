import { useEffect, useMemo, useState } from 'react'
import { importWithRetry } from '../lazy-import.ts'
import { coastPath } from './coast.ts'
import type { MapContent } from './map-card.tsx'
import { NameTag } from './name-tag.tsx'
import { placeNames } from './place-names.ts'
import { type Point, placeOf, scaleBar, type View, viewOf } from './projection.ts'

/** The map without tiles: coast and places are part of the app, so the map works offline too. */
export function LocalDrawing({
  content,
  width,
  height,
}: {
  content: MapContent
  width: number
  height: number
}) {
  const { marks, line, summary } = content
  const view = useMemo(() => viewOf(marks, width, height), [marks, width, height])
  const { coast, places } = useGround(marks)
  const points = useMemo(() => marks.map((mark) => ({ ...mark, ...placeOf(view, mark) })), [marks, view])
  const land = useMemo(() => coast && coastPath(coast, view), [coast, view])
  const names = useMemo(() => placeNames(places, view, points), [places, view, points])
  const path = line && `M${line.map((place) => pointText(placeOf(view, place))).join('L')}`
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary}>
      {land === null ? (
        <rect width={width} height={height} fill="var(--land)" />
      ) : (
        <path d={land} fill="var(--land)" />
      )}
      {names.map(({ name, x, y }) => (
        <text key={name + x} x={x} y={y} textAnchor="middle">
          {name}
        </text>
      ))}
      {path && <path className="way" d={path} />}
      {points.map((mark) => (
        <g
          key={mark.kind === 'door' ? `${mark.name} ${pointText(mark)}` : mark.kind}
          transform={`translate(${pointText(mark)})`}
        >
          {mark.kind === 'store' && <circle className="store" r="8" />}
          {mark.kind === 'door' && (
            <rect className="door" x="-8" y="-8" width="16" height="16" transform="rotate(45)" />
          )}
          {mark.kind === 'courier' ? (
            <NameTag name={mark.name} />
          ) : (
            <text className="end" y="26" textAnchor="middle">
              {mark.name}
            </text>
          )}
        </g>
      ))}
      <ScaleBar view={view} middle={marks[0]} />
    </svg>
  )
}

function ScaleBar({ view, middle }: { view: View; middle: MapContent['marks'][number] | undefined }) {
  if (!middle) return null
  const { km, px } = scaleBar(view, middle)
  const y = view.height - 12
  return (
    <g className="scale">
      <path d={`M12 ${y - 5}v5h${px}v-5`} />
      <text x={16} y={y - 5}>
        {km < 1 ? `${km * 1_000} m` : `${km} km`}
      </text>
    </g>
  )
}

type Ground = { coast: readonly (readonly number[])[] | null; places: readonly string[] }

/** The ground under the marks, loaded when a map is first shown; plain land until then. */
function useGround(marks: MapContent['marks']): Ground {
  const [ground, setGround] = useState<Ground>({ coast: null, places: [] })
  const where = JSON.stringify(marks.map(({ lat, lng }) => ({ lat, lng })))
  useEffect(() => {
    let gone = false
    importWithRetry(() => import('./ground.ts'))
      .then(({ loadGround }) => loadGround(JSON.parse(where)))
      .then(
        (loaded) => {
          if (!gone) setGround(loaded)
        },
        // Offline the marks are on plain land, until one of them moves.
        () => {},
      )
    return () => {
      gone = true
    }
  }, [where])
  return ground
}

function pointText({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`
}

import {
  AttributionControl,
  Map as MapLibre,
  Marker,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import 'maplibre-gl/dist/maplibre-gl.css'
import { useEffect, useMemo, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { MapContent, Mark } from './map-card.tsx'
import { NameTag } from './name-tag.tsx'
import type { Tiles } from './tiles.ts'

setWorkerUrl(workerUrl)

/** The map on tiles, with the marks of the local drawing. */
export function TileMap({
  tiles,
  content,
  onFailure,
}: {
  tiles: Tiles
  content: MapContent
  onFailure(): void
}) {
  const frame = useRef<HTMLDivElement>(null)
  const licence = useRef<HTMLDivElement>(null)
  const shown = useRef<MapLibre>(null)
  const failure = useRef(onFailure)
  // By value: most pages make the same marks again for each render.
  const marks = JSON.stringify(content.marks)
  const elements = useMemo(
    () => (JSON.parse(marks) as Mark[]).map((mark) => ({ mark, element: document.createElement('div') })),
    [marks],
  )
  useEffect(() => {
    const map = createMap(frame.current as HTMLElement, tiles)
    if (!map) {
      failure.current()
      return
    }
    shown.current = map
    // `addControl` would put its links inside the hidden frame.
    const attribution = new AttributionControl({ compact: false })
    licence.current?.append(attribution.onAdd(map))
    let loaded = false
    map.once('load', () => {
      loaded = true
    })
    // A missing tile is a hole; a missing style is no map at all.
    map.on('error', () => loaded || failure.current())
    return () => {
      attribution.onRemove()
      map.remove()
    }
  }, [tiles])
  useEffect(() => {
    const map = shown.current
    if (!map) return
    const bounds = elements.map(({ mark: { lat, lng } }): [number, number] => [lng, lat])
    map.fitBounds([min(bounds), max(bounds)], { padding: 60, maxZoom: 15, animate: false })
    const markers = elements.map(({ mark, element }) =>
      new Marker({ element }).setLngLat([mark.lng, mark.lat]).addTo(map),
    )
    return () => {
      for (const marker of markers) marker.remove()
    }
  }, [elements])
  return (
    <>
      <div ref={frame} className="tiles" aria-hidden="true" />
      <div ref={licence} className="licence" />
      {elements.map(({ mark, element }, index) =>
        createPortal(<MarkDrawing mark={mark} />, element, String(index)),
      )}
      <p className="vh">{content.summary}</p>
    </>
  )
}

/** Null if the browser cannot draw it: MapLibre needs WebGL 2. */
function createMap(container: HTMLElement, tiles: Tiles): MapLibre | null {
  try {
    return new MapLibre({
      container,
      style: styleOf(tiles),
      interactive: false,
      attributionControl: false,
      fadeDuration: 0,
    })
  } catch {
    return null
  }
}

function styleOf({ url, attribution }: Tiles): string | StyleSpecification {
  if (!url.includes('{z}')) return url
  return {
    version: 8,
    sources: { tiles: { type: 'raster', tiles: [url], tileSize: 256, attribution: attribution ?? '' } },
    layers: [{ id: 'tiles', type: 'raster', source: 'tiles' }],
  }
}

function MarkDrawing({ mark }: { mark: Mark }) {
  return (
    <svg width="120" height="100" viewBox="-60 -50 120 100" aria-hidden="true">
      {mark.kind === 'store' && <circle className="store" r="8" />}
      {mark.kind === 'door' && (
        <rect className="door" x="-8" y="-8" width="16" height="16" transform="rotate(45)" />
      )}
      {mark.kind === 'courier' && <NameTag name={mark.name} />}
    </svg>
  )
}

function min(points: readonly [number, number][]): [number, number] {
  return [Math.min(...points.map(([lng]) => lng)), Math.min(...points.map(([, lat]) => lat))]
}

function max(points: readonly [number, number][]): [number, number] {
  return [Math.max(...points.map(([lng]) => lng)), Math.max(...points.map(([, lat]) => lat))]
}

import { Map as MapLibre, Marker, type StyleSpecification, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import 'maplibre-gl/dist/maplibre-gl.css'
import { useEffect, useRef } from 'react'
import { createRoot } from 'react-dom/client'
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
  const shown = useRef<MapLibre>(null)
  const failure = useRef(onFailure)
  useEffect(() => {
    const map = new MapLibre({
      container: frame.current as HTMLElement,
      style: styleOf(tiles),
      interactive: false,
      attributionControl: { compact: true },
      fadeDuration: 0,
    })
    shown.current = map
    let loaded = false
    map.once('load', () => {
      loaded = true
    })
    // A missing tile is a hole; a missing style is no map at all.
    map.on('error', () => loaded || failure.current())
    return () => map.remove()
  }, [tiles])
  useEffect(() => {
    const map = shown.current
    if (!map) return
    const bounds = content.marks.map(({ lat, lng }): [number, number] => [lng, lat])
    map.fitBounds([min(bounds), max(bounds)], { padding: 60, maxZoom: 15, animate: false })
    const markers = content.marks.map((mark) =>
      new Marker({ element: elementOf(mark) }).setLngLat([mark.lng, mark.lat]).addTo(map),
    )
    return () => {
      for (const marker of markers) marker.remove()
    }
  }, [content])
  return (
    <>
      <div ref={frame} className="tiles" aria-hidden="true" />
      <p className="vh">{content.summary}</p>
    </>
  )
}

function styleOf({ url, attribution }: Tiles): string | StyleSpecification {
  if (!url.includes('{z}')) return url
  return {
    version: 8,
    sources: { tiles: { type: 'raster', tiles: [url], tileSize: 256, attribution: attribution ?? '' } },
    layers: [{ id: 'tiles', type: 'raster', source: 'tiles' }],
  }
}

function elementOf(mark: Mark): HTMLElement {
  const element = document.createElement('div')
  createRoot(element).render(
    <svg width="120" height="100" viewBox="-60 -50 120 100" aria-hidden="true">
      {mark.kind === 'store' && <circle className="store" r="8" />}
      {mark.kind === 'door' && (
        <rect className="door" x="-8" y="-8" width="16" height="16" transform="rotate(45)" />
      )}
      {mark.kind === 'courier' && <NameTag name={mark.name} />}
    </svg>,
  )
  return element
}

function min(points: readonly [number, number][]): [number, number] {
  return [Math.min(...points.map(([lng]) => lng)), Math.min(...points.map(([, lat]) => lat))]
}

function max(points: readonly [number, number][]): [number, number] {
  return [Math.max(...points.map(([lng]) => lng)), Math.max(...points.map(([, lat]) => lat))]
}

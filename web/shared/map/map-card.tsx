import { useEffect, useRef, useState } from 'react'
import type { Position } from '../../../src/domain/geo/distance.ts'
import { lazyPart } from '../lazy-part.tsx'
import { useTiles } from './tiles.ts'
import './map.css'

export type Mark = Position & { kind: 'store' | 'door' | 'courier'; name: string }
export type MapContent = {
  marks: readonly Mark[]
  /** A dotted line between marks: it is not the driven route. */
  line: readonly Position[] | null
  /** The same in a sentence: everything on the map is in words as well. */
  summary: string
}

const LocalDrawing = lazyPart('LocalDrawing', () => import('./local-drawing.tsx'))
const TileMap = lazyPart('TileMap', () => import('./tile-map.tsx'))

/** A map: on tiles if they are configured and reachable, otherwise our own drawing. */
export function MapCard({ content, className = '' }: { content: MapContent; className?: string }) {
  const frame = useRef<HTMLDivElement>(null)
  const size = useSize(frame)
  const { tiles, giveUp } = useTiles()
  return (
    <div ref={frame} className={`map ${className}`}>
      {size &&
        tiles !== undefined &&
        (tiles ? (
          <TileMap tiles={tiles} content={content} onFailure={giveUp} />
        ) : (
          <LocalDrawing content={content} width={size.width} height={size.height} />
        ))}
    </div>
  )
}

function useSize(frame: React.RefObject<HTMLElement | null>): { width: number; height: number } | null {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {}
      setSize(width > 0 && height > 0 ? { width: Math.round(width), height: Math.round(height) } : null)
    })
    if (frame.current) observer.observe(frame.current)
    return () => observer.disconnect()
  }, [frame])
  return size
}

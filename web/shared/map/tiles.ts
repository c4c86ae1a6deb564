import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'

/** The tile source: a MapLibre style, or raster tiles with `{z}/{x}/{y}` in their address. */
export type Tiles = { url: string; attribution?: string }

/** The configured tiles; null for none (also if the request failed), undefined until it is known. */
export function useTiles(): { tiles: Tiles | null | undefined; giveUp(): void } {
  const [failed, setFailed] = useState(false)
  const { data, isError } = useQuery({
    queryKey: ['map'],
    queryFn: async () => (await api.GET('/map')).data,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    // Offline it fails at once, and the map is our own drawing.
    networkMode: 'always',
  })
  const tiles = failed || isError ? null : data && (data.tiles ?? null)
  return { tiles, giveUp: () => setFailed(true) }
}

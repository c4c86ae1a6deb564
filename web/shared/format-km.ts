/**
 * `600 m` up to 950, then `1.9 km`, whole from 10: by the rounded value, so that there is no `10.0 km` or `1000 m`.
 */
export function formatKm(km: number): string {
  const metres = Math.max(50, Math.round(km * 20) * 50)
  if (metres <= 950) return `${metres} m`
  const tenths = Math.round(km * 10) / 10
  return tenths < 10 ? `${tenths.toFixed(1)} km` : `${Math.round(km)} km`
}

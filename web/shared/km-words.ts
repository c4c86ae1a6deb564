/** `600 m` up to 950, then `1.9 km`, whole from 10. */
export function kmWords(km: number): string {
  if (km <= 0.95) return `${Math.round(km * 20) * 50} m`
  return km < 10 ? `${km.toFixed(1)} km` : `${Math.round(km)} km`
}

import type { Delivery } from '../shared/api.generated.ts'

/** A diamond for dangerous goods, with their class if the request named it. */
export function ClassDiamond({ parcels }: { parcels: Delivery['parcels'] }) {
  const dangerous = parcels.find((parcel) => parcel.contains_dangerous_goods)
  if (!dangerous) return null
  const division = dangerous.dangerous_goods?.class_division
  const message = division === undefined ? 'Dangerous goods' : `Dangerous goods, class ${division}`
  return (
    <svg className="dg" width="17" height="17" viewBox="0 0 17 17" role="img" aria-label={message}>
      <path d="M8.5 1 16 8.500 8.500 16 1 8.500Z" fill="none" stroke="currentColor" strokeWidth="1.4" />
      <text x="8.5" y="12" textAnchor="middle" fontSize="9.500" fontWeight="700" fill="currentColor">
        {division === undefined ? '!' : Math.floor(division)}
      </text>
    </svg>
  )
}

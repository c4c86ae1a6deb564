import { useEffect } from 'react'
import './public-band.css'

export type PageBrand = { name: string; band: string; on_band: string }

/** The band of a page that customers see: the brand's name on its colour, and the order at its end. */
export function PublicBand({ brand, order }: { brand: PageBrand; order?: string | undefined }) {
  useEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--brand', brand.band)
    style.setProperty('--on-brand', brand.on_band)
  }, [brand])
  return (
    <header className="brand">
      <b>{brand.name}</b>
      {order && <span>Order {order}</span>}
    </header>
  )
}

/** The band before anything is known. */
export const NO_BRAND: PageBrand = { name: 'Drover', band: '#1b2024', on_band: '#f4f5f2' }

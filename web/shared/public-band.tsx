import { useEffect } from 'react'
import './public-band.css'

export type PageBrand = { name: string; header_color: string; header_text_color: string }

/** The header of a page for customers: the brand's name on its colour, and the order at its end. */
export function PublicBand({ brand, order }: { brand: PageBrand; order?: string | undefined }) {
  useEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--brand', brand.header_color)
    style.setProperty('--on-brand', brand.header_text_color)
  }, [brand])
  return (
    <header className="brand">
      <b>{brand.name}</b>
      {order && <span>Order {order}</span>}
    </header>
  )
}

/** The header before the data has arrived. */
export const NO_BRAND: PageBrand = { name: 'Drover', header_color: '#1b2024', header_text_color: '#f4f5f2' }

import { useEffect, useState } from 'react'
import './public-band.css'

export type PageBrand = { name: string; header_color: string; header_text_color: string; logo?: boolean }

type PublicBandProps = { brand: PageBrand; order?: string | undefined }

/** The header of a page for customers: the brand's logo or name on its colour, and the order at its end. */
export function PublicBand({ brand, order }: PublicBandProps) {
  /** The name replaces a logo that does not arrive. */
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--brand', brand.header_color)
    style.setProperty('--on-brand', brand.header_text_color)
  }, [brand])
  return (
    <header className="brand">
      {brand.logo && !failed ? (
        <img src={`${location.pathname}/logo`} alt={brand.name} onError={() => setFailed(true)} />
      ) : (
        <b>{brand.name}</b>
      )}
      {order && <span>Order {order}</span>}
    </header>
  )
}

/** The header before the data has arrived. */
export const NO_BRAND: PageBrand = { name: 'Drover', header_color: '#1b2024', header_text_color: '#f4f5f2' }

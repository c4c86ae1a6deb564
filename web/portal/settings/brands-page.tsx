import { TextInput } from '@mantine/core'
import { useTitle } from '../use-title.ts'
import type { Place } from './edits.ts'
import { NumberInput } from './number-input.tsx'
import { textField, useSettings } from './settings.ts'

type Brand = { reference: string; name: string; colour?: string }

/** The names and colours that customers see, and the times of the brand's stores. */
export function BrandsPage() {
  useTitle('Settings: brands')
  const settings = useSettings()
  const brands = settings.document.brands as readonly Brand[]
  return (
    <>
      <div className="head">
        <h1>Brands</h1>
        <span className="dim">What customers see on tracking pages, labels and messages.</span>
      </div>
      <div className="settings-columns">
        {brands.map((brand) => {
          const place: Place = ['brands', { key: 'reference', is: brand.reference }]
          const colour = textField(settings, [...place, 'colour'])
          return (
            <section key={brand.reference} className="sheet pad fields" aria-label={brand.name}>
              <TextInput label="Name" maxLength={60} {...textField(settings, [...place, 'name'])} />
              <div className="fields-row">
                <TextInput label="Colour" placeholder="#17513f" {...colour} />
                <label className="swatch">
                  Pick a colour
                  <input type="color" {...colour} value={colour.value || '#17513f'} />
                </label>
              </div>
              <NumberInput
                label="Minutes to pick and pack an order"
                place={[...place, 'processing_minutes']}
              />
              <NumberInput
                label="Minutes from when an order is ready to the earliest pickup"
                place={[...place, 'buffer_minutes']}
              />
            </section>
          )
        })}
      </div>
    </>
  )
}

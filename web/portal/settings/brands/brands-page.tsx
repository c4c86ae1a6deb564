import { TextInput } from '@mantine/core'
import { useTitle } from '../../use-title.ts'
import { type Place, valueAt } from '../edits.ts'
import { NumberInput } from '../number-input.tsx'
import { textField, useSettings } from '../settings.ts'
import { BrandColour, isColour } from './brand-colour.tsx'
import { BrandLogo } from './brand-logo.tsx'

type Brand = { reference: string; name?: string; colour?: string; logo?: string }

/** The names, logos and colours that customers see, and the times of the brand's stores. */
export function BrandsPage() {
  useTitle('Settings: brands')
  const settings = useSettings()
  const brands = settings.document.brands as readonly Brand[]
  return (
    <>
      <div className="head">
        <h1>Brands</h1>
        <span className="dim">The names, logos and colours that customers see.</span>
      </div>
      <div className="settings-columns">
        {brands.map(({ reference, name: typed, colour = '', logo }) => {
          const place: Place = ['brands', { key: 'reference', is: reference }]
          const name = typed ?? String(valueAt(settings.inUse, [...place, 'name']) ?? reference)
          return (
            <section key={reference} className="sheet pad fields" aria-label={name}>
              <TextInput label="Name" maxLength={60} {...textField(settings, [...place, 'name'])} />
              <BrandLogo place={place} name={name} colour={isColour(colour) ? colour : null} logo={logo} />
              <BrandColour place={[...place, 'colour']} />
              <NumberInput
                label="Minutes to pick and pack an order"
                place={[...place, 'processing_minutes']}
              />
              <NumberInput
                label="Minutes between an order being ready and the earliest pickup"
                place={[...place, 'buffer_minutes']}
              />
            </section>
          )
        })}
      </div>
    </>
  )
}

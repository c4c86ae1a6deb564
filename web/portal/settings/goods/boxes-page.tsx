import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { PARCEL_TYPES } from '../../../../src/domain/values.ts'
import { Dialog } from '../../../shared/dialog.tsx'
import { DialogButtons } from '../../dialog-buttons.tsx'
import { sentByButton } from '../../on-submit.ts'
import { useTitle } from '../../use-title.ts'
import type { Place } from '../edits.ts'
import { NumberInput } from '../number-input.tsx'
import { useSettings } from '../settings.ts'
import { useTexts } from '../use-texts.ts'

type Box = { name: string; type?: string }

const KINDS = PARCEL_TYPES.map((type) => ({ value: type, label: type.replaceAll('_', ' ') }))

/** The boxes that the shop packs in. A clerk who enters a delivery by hand chooses one instead of measuring. */
export function BoxesPage() {
  useTitle('Settings: boxes')
  const { document } = useSettings()
  const boxes = (document.usual_boxes as readonly Box[] | undefined) ?? []
  const [adding, setAdding] = useState(false)
  return (
    <>
      <div className="head">
        <h1>Boxes</h1>
        <span className="dim">The boxes that you can choose when you enter a delivery.</span>
        <span className="right">
          <button type="button" className="b" onClick={() => setAdding(true)}>
            Add a box
          </button>
        </span>
      </div>
      {boxes.length === 0 && (
        <div className="state">
          <h2>No boxes yet.</h2>
          <p>Add the boxes you use. You can then choose a box instead of measuring each parcel.</p>
        </div>
      )}
      <div className="settings-columns">
        {boxes.map((box) => (
          <BoxForm key={box.name} box={box} />
        ))}
      </div>
      {adding && <AddBox known={boxes} onClose={() => setAdding(false)} />}
    </>
  )
}

function BoxForm({ box }: { box: Box }) {
  const { set } = useSettings()
  const place: Place = ['usual_boxes', { key: 'name', is: box.name }]
  const at = (name: string): Place => [...place, name]
  return (
    <section className="sheet pad fields" aria-label={box.name}>
      <h2>{box.name}</h2>
      <Select
        label="Parcel type"
        allowDeselect={false}
        data={KINDS}
        value={box.type ?? 'carton'}
        onChange={(type) => type && set(at('type'), type)}
      />
      <div className="fields-row">
        <NumberInput label="Length, cm" place={at('length_cm')} />
        <NumberInput label="Width, cm" place={at('width_cm')} />
        <NumberInput label="Height, cm" place={at('height_cm')} />
        <NumberInput label="Usual weight, kg" place={at('weight_kg')} />
      </div>
      <div className="row-of-buttons">
        <button type="button" className="b s no" onClick={() => set(place, undefined)}>
          Remove
        </button>
      </div>
    </section>
  )
}

const MEASURES = [
  ['length_cm', 'Length, cm'],
  ['width_cm', 'Width, cm'],
  ['height_cm', 'Height, cm'],
  ['weight_kg', 'Usual weight, kg (optional)'],
] as const

function AddBox({ known, onClose }: { known: readonly Box[]; onClose(): void }) {
  const { set } = useSettings()
  const { texts, text } = useTexts({ name: '', length_cm: '', width_cm: '', height_cm: '', weight_kg: '' })
  const name = texts.name.trim()
  const isTaken = known.some((one) => one.name === name)
  const add = () => {
    if (name === '' || isTaken) return
    const measures = MEASURES.flatMap(([field]) => {
      const typed = texts[field].trim()
      return typed === '' ? [] : [[field, Number.isNaN(Number(typed)) ? typed : Number(typed)]]
    })
    set(['usual_boxes', { key: 'name', is: name }], { name, ...Object.fromEntries(measures) })
    onClose()
  }
  return (
    <Dialog title="Add a box" onClose={onClose}>
      <form {...sentByButton(add)} className="fields narrow">
        <TextInput
          label="Name"
          placeholder="Shoe box"
          required
          maxLength={60}
          error={isTaken && 'You already have a box with that name. Choose another name.'}
          {...text('name')}
        />
        <div className="fields-row">
          {MEASURES.map(([field, label]) => (
            <TextInput
              key={field}
              label={label}
              inputMode="decimal"
              required={field !== 'weight_kg'}
              {...text(field)}
            />
          ))}
        </div>
        <DialogButtons submitLabel="Add" onClose={onClose} />
      </form>
    </Dialog>
  )
}

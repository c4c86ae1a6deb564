import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { PACKING_GROUPS } from '../../../src/domain/values.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { DialogButtons } from '../dialog-buttons.tsx'
import { sentByButton } from '../on-submit.ts'
import { useTitle } from '../use-title.ts'
import type { Place } from './edits.ts'
import { textField, useSettings } from './settings.ts'
import { useTexts } from './use-texts.ts'

type Goods = {
  name: string
  un_number: string
  technical_name: string
  class_division: string
  packing_group?: string
  transportable_by_air?: boolean
}

/** The dangerous goods that parcels can contain. Labels and declarations print each as it is written here. */
export function DangerousGoodsPage() {
  useTitle('Settings: dangerous goods')
  const { document } = useSettings()
  const goods = (document.dangerous_goods_definitions as readonly Goods[] | undefined) ?? []
  const [adding, setAdding] = useState(false)
  return (
    <>
      <div className="head">
        <h1>Dangerous goods</h1>
        <span className="right">
          <button type="button" className="b" onClick={() => setAdding(true)}>
            Add goods
          </button>
        </span>
      </div>
      {goods.length === 0 && (
        <div className="state">
          <h2>No dangerous goods yet.</h2>
          <p>
            Add the goods you send that have a UN number, such as perfume (UN1266) or devices with lithium
            batteries (UN3481).
          </p>
        </div>
      )}
      <div className="settings-columns">
        {goods.map((one) => (
          <Definition key={one.name} goods={one} />
        ))}
      </div>
      {adding && <AddGoods known={goods} onClose={() => setAdding(false)} />}
    </>
  )
}

function Definition({ goods }: { goods: Goods }) {
  const settings = useSettings()
  const { set } = settings
  const place: Place = ['dangerous_goods_definitions', { key: 'name', is: goods.name }]
  const at = (name: string): Place => [...place, name]
  return (
    <section className="sheet pad fields" aria-label={goods.name}>
      <h2 className="mono">{goods.name}</h2>
      <div className="fields-row">
        <TextInput label="UN number" maxLength={6} {...textField(settings, at('un_number'))} />
        <TextInput label="Class or division" maxLength={5} {...textField(settings, at('class_division'))} />
      </div>
      <TextInput label="Proper shipping name" {...textField(settings, at('technical_name'))} />
      <Select
        label="Packing group"
        allowDeselect={false}
        data={[{ value: '', label: 'None' }, ...PACKING_GROUPS]}
        value={goods.packing_group ?? ''}
        onChange={(group) => set(at('packing_group'), group === '' ? undefined : group)}
      />
      <label className="week-name">
        <input
          type="checkbox"
          checked={goods.transportable_by_air === true}
          onChange={({ currentTarget }) => set(at('transportable_by_air'), currentTarget.checked)}
        />{' '}
        Can be sent by air
      </label>
      <div className="row-of-buttons">
        <button type="button" className="b s no" onClick={() => set(place, undefined)}>
          Remove
        </button>
      </div>
    </section>
  )
}

function AddGoods({ known, onClose }: { known: readonly Goods[]; onClose(): void }) {
  const { set } = useSettings()
  const { texts: fields, text } = useTexts({ technical_name: '', un_number: '', class_division: '' })
  const name = fields.technical_name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  const isTaken = known.some((one) => one.name === name)
  const add = () => {
    if (name === '' || isTaken) return
    set(['dangerous_goods_definitions', { key: 'name', is: name }], {
      name,
      ...fields,
      un_number: fields.un_number
        .trim()
        .toUpperCase()
        .replace(/^(\d{4})$/, 'UN$1'),
    })
    onClose()
  }
  return (
    <Dialog title="Add dangerous goods" onClose={onClose}>
      <form {...sentByButton(add)} className="fields narrow">
        <TextInput
          label="Proper shipping name"
          required
          error={
            (isTaken &&
              'You already have dangerous goods with that name. Choose Cancel, then change them on this page.') ||
            (fields.technical_name !== '' &&
              name === '' &&
              'Enter the name in English: carriers and drivers read it.')
          }
          {...text('technical_name')}
        />
        <TextInput label="UN number" placeholder="UN1266" required maxLength={6} {...text('un_number')} />
        <TextInput
          label="Class or division"
          placeholder="3"
          required
          maxLength={5}
          {...text('class_division')}
        />
        <DialogButtons submitLabel="Add" onClose={onClose} />
      </form>
    </Dialog>
  )
}

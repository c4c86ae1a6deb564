import { Select, TextInput } from '@mantine/core'
import { PARCEL_TYPES } from '../../../src/domain/values.ts'
import { Icon } from '../../shared/icon.tsx'
import { type Session, usePortal } from '../portal.ts'
import type { Mistakes } from './delivery-form.tsx'
import { FIRST_PARCEL, type ParcelDraft } from './draft.ts'

type ParcelRowsProps = {
  parcels: readonly ParcelDraft[]
  change(parcels: ParcelDraft[]): void
  mistakes: Mistakes
}

const MEASURES = [
  ['length', 'Length, cm', 'length_cm'],
  ['width', 'Width, cm', 'width_cm'],
  ['height', 'Height, cm', 'height_cm'],
  ['weight', 'Weight, kg', 'weight_kg'],
  ['quantity', 'Quantity', 'quantity'],
] as const

/** One row for each kind of parcel. */
export function ParcelRows({ parcels, change, mistakes }: ParcelRowsProps) {
  const put = (index: number, values: Partial<ParcelDraft>) =>
    change(parcels.map((parcel, at) => (at === index ? { ...parcel, ...values } : parcel)))
  const add = () => change([...parcels, { ...FIRST_PARCEL, reference: freeName(parcels) }])
  return (
    <>
      <h2>Parcels</h2>
      {parcels.map((parcel, index) => {
        const mistake = (field: string) => mistakes.of(`parcels[${index}].${field}`)
        return (
          <fieldset key={parcel.reference} className="parcel-row">
            <legend>{parcel.reference}</legend>
            <BoxChoice parcel={parcel} choose={(box) => put(index, fromBox(box))} />
            <Select
              label="Parcel type"
              value={parcel.type}
              data={PARCEL_TYPES.map((type) => ({ value: type, label: type.replaceAll('_', ' ') }))}
              onChange={(type) => type && put(index, { type })}
            />
            {MEASURES.map(([name, label, field]) => (
              <TextInput
                key={name}
                label={label}
                inputMode="decimal"
                value={parcel[name]}
                onChange={(event) => put(index, { [name]: event.currentTarget.value })}
                error={mistake(field)}
              />
            ))}
            <TextInput
              className="wide"
              label="Dangerous goods"
              description="The goods’ name, as listed in Settings under Dangerous goods. Leave this field empty if there are none."
              value={parcel.dangerous}
              onChange={(event) => put(index, { dangerous: event.currentTarget.value })}
              error={mistake('dangerous_goods.dangerous_goods_definition') ?? mistake('dangerous_goods')}
            />
            {parcels.length > 1 && (
              <button
                type="button"
                className="b s"
                aria-label={`Remove ${parcel.reference}`}
                onClick={() => change(parcels.filter((_, at) => at !== index))}
              >
                <Icon name="close" size={14} /> Remove
              </button>
            )}
          </fieldset>
        )
      })}
      <button type="button" className="b s start" onClick={add}>
        <Icon name="plus" size={14} /> Add another parcel
      </button>
    </>
  )
}

type Box = Session['usual_boxes'][number]

/** The account's usual boxes: one choice instead of three measures. */
function BoxChoice({ parcel, choose }: { parcel: ParcelDraft; choose(box: Box): void }) {
  const { usual_boxes: boxes } = usePortal().session
  if (boxes.length === 0) return null
  const chosen = boxes.find((box) => {
    const { length, width, height, type } = fromBox(box)
    return (
      parcel.type === type && parcel.length === length && parcel.width === width && parcel.height === height
    )
  })
  return (
    <Select
      label="Box"
      placeholder="Choose a box"
      value={chosen?.name ?? null}
      data={boxes.map(({ name }) => name)}
      onChange={(name) => {
        const box = boxes.find((one) => one.name === name)
        if (box) choose(box)
      }}
    />
  )
}

/** A box without a usual weight leaves the weight as it is typed. */
function fromBox(box: Box) {
  return {
    type: box.type,
    length: String(box.length_cm),
    width: String(box.width_cm),
    height: String(box.height_cm),
    ...(box.weight_kg !== undefined && { weight: String(box.weight_kg) }),
  }
}

function freeName(parcels: readonly ParcelDraft[]): string {
  const names = new Set(parcels.map(({ reference }) => reference))
  let number = parcels.length + 1
  while (names.has(`P${number}`)) number++
  return `P${number}`
}

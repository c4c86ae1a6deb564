import { Select, TextInput } from '@mantine/core'
import { type Place, valueAt } from '../edits.ts'
import { useSettings } from '../settings.ts'
import { type LabelsJson, withLabels } from './store-labels.ts'

/** The format in which staff print the store's labels, and the name of the printer. */
export function LabelFields({ place }: { place: Place }) {
  const { document, inUse, set } = useSettings()
  const labels = valueAt(document, place) as LabelsJson | undefined
  const change = (next: LabelsJson) =>
    set(place, withLabels(labels, next, valueAt(inUse, place) as LabelsJson | undefined))
  return (
    <>
      <Select
        label="Label format"
        description="With ZPL, we save the labels as a file. Open the file with the printer’s software."
        allowDeselect={false}
        data={[
          { value: 'pdf', label: 'PDF, for any printer' },
          { value: 'zpl', label: 'ZPL, for a label printer such as a Zebra' },
        ]}
        value={labels?.format ?? 'pdf'}
        onChange={(format) => format && change({ format })}
      />
      <TextInput
        label="Printer name"
        description="The name that staff see when they print, such as “Zebra by the packing bench”. Staff choose the printer on their own computers."
        maxLength={60}
        value={labels?.printer ?? ''}
        onChange={({ currentTarget }) => change({ printer: currentTarget.value })}
      />
    </>
  )
}

import { type ApiError, apiError } from './errors.ts'
import { type Fields, fieldsOf, listOf, numberOf, textOf } from './fields.ts'
import { GROUPS, layoutOf, type Sheet } from './layouts.ts'
import { missing } from './read-party.ts'
import type { Item, LabelRequest } from './world.ts'

type Preference = Pick<LabelRequest, 'format' | 'layout' | 'offsetMm'>

/** The preference must have a group for each product group among the parcels. */
export function readPreference(told: Fields, items: readonly Item[], errors: ApiError[]): Preference | null {
  const preference = fieldsOf(listOf(told.preferences)[0])
  if (!preference) {
    errors.push(missing('preferences'))
    return null
  }
  const wrong = (message: string, field: string) => errors.push(apiError('400', { message, field }))
  if (textOf(preference.type) !== 'PRINT')
    wrong('The type of a preference must be PRINT.', 'preferences[0].type')
  const format = textOf(preference.format) ?? 'PDF'
  if (format !== 'PDF' && format !== 'ZPL') wrong('The format must be PDF or ZPL.', 'preferences[0].format')

  const groups = listOf(preference.groups).map((group) => fieldsOf(group) ?? {})
  if (groups.length === 0) errors.push(missing('preferences[0].groups'))
  for (const [index, group] of groups.entries()) {
    const field = `preferences[0].groups[${index}]`
    const absent = ['group', 'layout', 'branded', 'left_offset', 'top_offset'].filter(
      (name) => group[name] === undefined,
    )
    for (const name of absent) errors.push(missing(`${field}.${name}`))
    const [name, layout] = [textOf(group.group), textOf(group.layout)]
    if (name !== null && !GROUPS.includes(name)) wrong(`${name} is not a label group.`, `${field}.group`)
    if (layout !== null && !layoutOf(layout)) wrong(`${layout} is not a layout.`, `${field}.layout`)
  }
  const layouts = [...new Set(items.map(({ product }) => product))].map((product): Sheet | undefined => {
    const group = groups.find((one) => textOf(one.group) === product.group)
    const layout = layoutOf(textOf(group?.layout) ?? '')
    if (!group) wrong(`The preferences have none for the group ${product.group}.`, 'preferences[0].groups')
    else if (layout && !layout.networks.includes(product.network))
      wrong(`The layout is not for ${product.group}.`, 'preferences[0].groups')
    return layout
  })
  const first = groups[0]
  const layout = layouts[0] ?? layoutOf('A4-1pp')
  if (!first || !layout || (format !== 'PDF' && format !== 'ZPL')) return null
  const offsetMm = { left: numberOf(first.left_offset) ?? 0, top: numberOf(first.top_offset) ?? 0 }
  return { format, layout, offsetMm }
}

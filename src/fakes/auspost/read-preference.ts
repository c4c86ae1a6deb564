import { type ApiError, apiError } from './errors.ts'
import { type Fields, fieldsOf, listOf, numberOf, textOf } from './fields.ts'
import { GROUPS, LAYOUTS } from './label-paper.ts'
import { missing } from './read-party.ts'
import type { Item, LabelRequest } from './world.ts'

type Preference = Pick<LabelRequest, 'format' | 'layout' | 'offsetMm'>

/** The preference must have a group for each product group that is in the parcels. */
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
    if (layout !== null && !LAYOUTS.has(layout)) wrong(`${layout} is not a layout.`, `${field}.layout`)
  }
  const wanted = new Set(items.map(({ product }) => product.group))
  const has = (name: string) => groups.find((group) => textOf(group.group) === name)
  for (const name of wanted) {
    if (!has(name)) wrong(`The preferences have no layout for the group ${name}.`, 'preferences[0].groups')
  }
  const first = groups.find((group) => [...wanted].some((name) => name === textOf(group.group))) ?? groups[0]
  if (!first || (format !== 'PDF' && format !== 'ZPL')) return null
  const offsetMm = { left: numberOf(first.left_offset) ?? 0, top: numberOf(first.top_offset) ?? 0 }
  return { format, layout: textOf(first.layout) ?? 'A4-1pp', offsetMm }
}

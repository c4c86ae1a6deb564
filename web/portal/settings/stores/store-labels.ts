import { isSame } from '../../../../src/domain/account/differences.ts'

/** How a store prints its labels, as the document has it. */
export type LabelsJson = { format?: string; printer?: string }

/** The settings with one field changed: nothing if no field is left, and those in use if they mean the same. */
export function withLabels(
  labels: LabelsJson | undefined,
  change: LabelsJson,
  inUse: LabelsJson | undefined,
): LabelsJson | undefined {
  const { format = 'pdf', printer = '', ...others } = { ...labels, ...change }
  const next: LabelsJson = {
    ...others,
    ...(format !== 'pdf' && { format }),
    ...(printer !== '' && { printer }),
  }
  if (isSame(withDefaults(next), withDefaults(inUse))) return inUse
  return Object.keys(next).length === 0 ? undefined : next
}

function withDefaults({ format = 'pdf', printer = '' }: LabelsJson = {}): LabelsJson {
  return { format, printer }
}

import type { DangerousGoodsDefinition } from '../account/account.ts'
import type { DangerousGoodsInput } from '../delivery/request.ts'
import type { Issue } from '../errors.ts'
import { didYouMean } from '../text/nearest.ts'
import type { DangerousGoods } from './dangerous-goods.ts'

/**
 * A parcel's declaration: the definition it names, overridden field by field. `field` is the path of the
 * object in the request body (`parcels[0].dangerous_goods`).
 */
export function resolveDangerousGoods(
  definitions: ReadonlyMap<string, DangerousGoodsDefinition>,
  input: DangerousGoodsInput,
  field: string,
): { goods: DangerousGoods } | { issues: Issue[] } {
  const issues = overrideIssues(input, field)
  const definition = definitions.get(input.definition)
  if (!definition) issues.push(unknownDefinition(definitions, input.definition, field))
  if (!definition || issues.length > 0) return { issues }
  return { goods: overridden(definition, input) }
}

function overridden(definition: DangerousGoodsDefinition, input: DangerousGoodsInput): DangerousGoods {
  return {
    definition: definition.name,
    unNumber: input.unNumber === null ? definition.unNumber : unNumberText(input.unNumber),
    technicalName: input.technicalName ?? definition.technicalName,
    classDivision: input.classDivision === null ? definition.classDivision : String(input.classDivision),
    subsidiaryRisk: input.subsidiaryRisk === null ? definition.subsidiaryRisk : String(input.subsidiaryRisk),
    packingGroup: input.packingGroup ?? definition.packingGroup,
    transportableByAir: input.transportableByAir ?? definition.transportableByAir,
    netWeightKg: input.netWeightKg ?? definition.netWeightKg,
    outerPackagingType: input.outerPackagingType ?? definition.outerPackagingType,
    outerPackagingQuantity: input.outerPackagingQuantity,
    declaration: input.declaration ?? definition.declaration,
  }
}

/** As printed: UN and four digits. */
function unNumberText(unNumber: number): string {
  return `UN${String(unNumber).padStart(4, '0')}`
}

/** What is wrong with the request's own values. */
export function overrideIssues(
  { unNumber, classDivision, subsidiaryRisk }: Overrides,
  field: string,
): Issue[] {
  const issues: Issue[] = []
  if (unNumber !== null && !(Number.isInteger(unNumber) && unNumber >= 1 && unNumber <= 9999)) {
    issues.push({
      field: `${field}.un_number`,
      issue: 'invalid_value',
      message: `${unNumber} is not a UN number. Write a whole number of at most four digits, such as 3481.`,
    })
  }
  for (const [name, value] of [
    ['class_division', classDivision],
    ['subsidiary_risk', subsidiaryRisk],
  ] as const) {
    if (value === null || CLASS_OR_DIVISION.test(String(value))) continue
    issues.push({
      field: `${field}.${name}`,
      issue: 'invalid_value',
      message: `${value} is not a class or division of dangerous goods. Write 1 to 9, such as 3 or 2.1.`,
    })
  }
  return issues
}

/** `field` is the path of the parcel's `dangerous_goods` in the request body. */
export function unknownDefinition(
  definitions: ReadonlyMap<string, unknown>,
  name: string,
  field: string,
): Issue {
  const known = [...definitions.keys()]
  const remedy =
    known.length === 0
      ? 'This account defines none.'
      : `Known names: ${known.join(', ')}.${didYouMean(name, known)}`
  return {
    field: `${field}.dangerous_goods_definition`,
    issue: 'unknown_definition',
    message: `There is no dangerous goods definition "${name}". ${remedy}`,
  }
}

type Overrides = Pick<DangerousGoodsInput, 'unNumber' | 'classDivision' | 'subsidiaryRisk'>

const CLASS_OR_DIVISION = /^[1-9](\.[1-6])?$/

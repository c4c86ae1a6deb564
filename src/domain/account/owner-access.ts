import type { Issue } from '../errors.ts'
import type { OwnerGrant } from '../values.ts'
import type { AccountDocumentInput } from './document/document.ts'
import { sendsOtherSecret } from './openid-secret.ts'
import { listChangesByPart, type PlanLine } from './plan.ts'

/** Who may change a field: the merchant's admins, the admins with this grant, or operators only. */
type Editor = 'owner' | 'operator' | OwnerGrant

/** `part`: who may add and remove the part itself; `fields`: the fields whose editor differs from `others`. */
type PartAccess = { part: Editor; others: Editor; fields: Readonly<Record<string, Editor>> }

const ACCESS: Readonly<Record<PlanLine['kind'], PartAccess>> = {
  account: {
    part: 'operator',
    others: 'operator',
    fields: {
      name: 'owner',
      time_zone: 'owner',
      own_carriers: 'own_carriers',
      capabilities: 'click_and_deliver',
      modes: 'modes',
      booking: 'owner',
      quotes: 'owner',
      own_network: 'owner',
      assistants: 'owner',
      people: 'owner',
      sign_in: 'sign_in',
      retention: 'owner',
      pricing: 'owner',
      usual_boxes: 'owner',
      message_texts: 'owner',
      default_brand: 'owner',
      order_of_services: 'owner',
    },
  },
  brand: { part: 'owner', others: 'owner', fields: { allocation_strategy: 'allocation' } },
  store: { part: 'owner', others: 'owner', fields: { modes: 'modes' } },
  delivery_type: { part: 'delivery_types', others: 'owner', fields: { enabled: 'delivery_types' } },
  carrier: { part: 'carriers', others: 'carriers', fields: { name: 'owner' } },
  service: { part: 'carriers', others: 'carriers', fields: { price: 'owner', rate_card: 'owner' } },
  dangerous_goods_definition: { part: 'owner', others: 'owner', fields: {} },
}

/** Whether an admin of the merchant with these grants may change a field; `field` null: add or remove the part. */
export function mayOwnerChange(
  kind: PlanLine['kind'],
  field: string | null,
  grants: readonly OwnerGrant[],
): boolean {
  const editor = toEditor(kind, field)
  return editor === 'owner' || (editor !== 'operator' && grants.includes(editor))
}

function toEditor(kind: PlanLine['kind'], field: string | null): Editor {
  const { part, others, fields } = ACCESS[kind]
  if (field === null) return part
  const [top = ''] = field.split('.')
  return Object.hasOwn(fields, top) ? (fields[top] as Editor) : others
}

/**
 * An issue for each change between two documents that the merchant's admin may not make. The grants are those of the
 * document in use, so that nobody grants themselves anything.
 */
export function listForbiddenChanges(before: AccountDocumentInput, after: AccountDocumentInput): Issue[] {
  const grants = before.owner_grants ?? []
  const issues = listChangesByPart(before, after).flatMap(({ action, kind, name, changes }) => {
    const place = kind === 'account' ? '' : `${PLACES[kind]}.${name}`
    const whole = action !== 'change' && !mayOwnerChange(kind, null, grants)
    if (whole) return [toIssue(place, toEditor(kind, null))]
    return changes
      .filter(({ field }) => !mayOwnerChange(kind, field, grants))
      .map(({ field }) => toIssue(place === '' ? field : `${place}.${field}`, toEditor(kind, field)))
  })
  return sendsOtherSecret(before, after) ? [...issues, OTHER_SECRET] : issues
}

export const OTHER_SECRET: Issue = {
  field: 'sign_in.openid_connect.client_secret',
  issue: 'not_granted',
  message:
    'This client secret was not entered for this provider. Remove it, and enter the provider’s own client secret.',
}

const PLACES: Readonly<Record<Exclude<PlanLine['kind'], 'account'>, string>> = {
  brand: 'brands',
  store: 'stores',
  delivery_type: 'delivery_types',
  carrier: 'carriers',
  service: 'services',
  dangerous_goods_definition: 'dangerous_goods_definitions',
}

function toIssue(field: string, editor: Editor): Issue {
  const remedy =
    editor === 'operator'
      ? 'Only your implementation partner can change this. Ask them to change it.'
      : `Only your implementation partner can change this. Ask them to change it, or to add "${editor}" to owner_grants so that you can change it.`
  return { field, issue: 'not_granted', message: `${field}: ${remedy}` }
}

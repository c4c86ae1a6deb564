import { Checkbox, Select } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { ACCOUNT_ROLES } from '../../../src/domain/people/user.ts'
import type { User } from '../../shared/api.generated.ts'
import { WITHIN_DIALOG } from '../../shared/dialog.tsx'
import type { FieldProblems } from '../field-problems.ts'
import { usePortal } from '../portal.ts'

export type AccountRole = (typeof ACCOUNT_ROLES)[number]

export const ROLE_TEXTS: Readonly<Record<User['role'], string>> = {
  operator: 'Operator',
  merchant_admin: 'Admin: can do everything in the account',
  store_clerk: 'Clerk: can handle deliveries for chosen stores',
}

type AccessFields = {
  role: AccountRole
  /** A clerk's stores, in the account's order. */
  stores: readonly string[]
  /** Why the access is incomplete; null if it is complete. */
  missing: string | null
  fields: ReactNode
}

/** Role, and for a clerk the stores. */
export function useAccessFields(
  before: { role: AccountRole; stores: readonly string[] },
  problems: FieldProblems,
): AccessFields {
  const { stores: all } = usePortal()
  const [role, setRole] = useState(before.role)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(before.stores))
  const mistake = useId()
  // A store that the account has since removed cannot be chosen.
  const stores = all.flatMap(({ reference }) => (chosen.has(reference) ? [reference] : []))
  const toggle = (reference: string) =>
    setChosen((earlier) => {
      const later = new Set(earlier)
      if (!later.delete(reference)) later.add(reference)
      return later
    })
  const ofStores = problems.at('store_references')
  const fields = (
    <>
      <Select
        label="Role"
        value={role}
        onChange={(value) => value && setRole(value as AccountRole)}
        data={ACCOUNT_ROLES.map((one) => ({ value: one, label: ROLE_TEXTS[one] }))}
        error={problems.at('role')}
        // Within the dialog, because a modal dialog is above the rest of the page.
        comboboxProps={WITHIN_DIALOG}
      />
      {role === 'store_clerk' && (
        <fieldset className="checks" aria-describedby={ofStores === null ? undefined : mistake}>
          <legend className="field-label">Stores</legend>
          {all.map(({ reference, name }) => (
            <Checkbox
              key={reference}
              label={name}
              checked={chosen.has(reference)}
              onChange={() => toggle(reference)}
            />
          ))}
          {ofStores !== null && (
            <p id={mistake} role="alert" className="field-error">
              {ofStores}
            </p>
          )}
        </fieldset>
      )}
    </>
  )
  const missing =
    role === 'store_clerk' && stores.length === 0 ? 'Choose the stores this person works in.' : null
  return { role, stores, missing, fields }
}

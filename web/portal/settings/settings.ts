import { createContext, useContext } from 'react'
import { mayOwnerChange } from '../../../src/domain/account/owner-access.ts'
import type { PlanLine } from '../../../src/domain/account/plan.ts'
import type { OwnerGrant } from '../../../src/domain/values.ts'
import { type Edit, type Json, type Place, valueAt } from './edits.ts'

/** The account document in the forms: what is in use, what the person has changed, and both together. */
export type Settings = {
  inUse: Json
  version: number
  document: Json
  edits: readonly Edit[]
  set(place: Place, value: unknown): void
  /** Whether this person may change a field; `field` null: add or remove the part. */
  may(kind: PlanLine['kind'], field: string | null): boolean
}

export const SettingsContext = createContext<Settings | null>(null)

export function useSettings(): Settings {
  const settings = useContext(SettingsContext)
  if (!settings) throw new Error('useSettings was called outside the settings pages.')
  return settings
}

export function mayChange(role: string, inUse: Json, kind: PlanLine['kind'], field: string | null): boolean {
  return (
    role === 'operator' || mayOwnerChange(kind, field, (inUse.owner_grants as OwnerGrant[] | undefined) ?? [])
  )
}

/** A text field's value and setter; an empty text removes an optional field. */
export function textField({ document, set }: Settings, place: Place) {
  const value = valueAt(document, place)
  return {
    value: typeof value === 'string' ? value : '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      set(place, currentTarget.value === '' ? undefined : currentTarget.value),
  }
}

/** A number's text and setter at a place in the document. */
export function numberField({ document, set }: Settings, place: Place) {
  return numberProps(valueAt(document, place), (value) => set(place, value))
}

/**
 * A number's text and setter; an empty text removes the field. Text that is not a number is passed on as typed, and the
 * API says what is wrong with it.
 */
export function numberProps(value: unknown, set: (value: unknown) => void) {
  return {
    value: value === undefined ? '' : String(value),
    onChange: ({ currentTarget: { value: typed } }: { currentTarget: { value: string } }) =>
      set(typed.trim() === '' ? undefined : Number.isNaN(Number(typed)) ? typed : Number(typed)),
  }
}

import { Autocomplete, Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { STATES } from '../../../src/domain/values.ts'
import type { Store } from '../../shared/api.generated.ts'
import { Problem, toProblem } from '../../shared/problem.ts'
import { sentByButton } from '../on-submit.ts'
import { AddressQuestion } from './address-question.tsx'
import type { Draft } from './draft.ts'
import { bareMistake, namedMistake } from './mistake-texts.ts'
import { ParcelRows } from './parcel-rows.tsx'
import type { Suburb } from './suburbs.ts'

export type FormProps = {
  /** The store that the delivery leaves from. */
  store: Store
  draft: Draft
  change(change: Partial<Draft>): void
  error: unknown
  /** Shown above the mistakes: `The delivery hasn’t been created.` */
  otherwise: string
  submit(): void
  /** The end of the form: the label of the submit button and further choices. */
  children: ReactNode
}

/** One column in the order in which a clerk asks: order, time, customer, address, parcels, notes. */
export function DeliveryForm({ store, draft, change, error, otherwise, submit, children }: FormProps) {
  const mistakes = useMistakes(error)
  const text = (name: TextField, label: string, field: string, rest: object = {}) => (
    <TextInput
      label={label}
      value={draft[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      error={mistakes.of(field)}
      required
      {...rest}
    />
  )
  return (
    <form className="sheet pad fields delivery-form" {...sentByButton(submit)} noValidate>
      <MistakeSummary error={error} otherwise={otherwise} />
      <div className="pair">
        {text('reference', 'Order number', 'reference', { maxLength: 100, autoFocus: true })}
        {text('readyAt', 'Ready for pickup at', 'ready_for_pickup_at', {
          type: 'datetime-local',
          description: `Local time at ${store.name}`,
          inputWrapperOrder: ['label', 'input', 'description', 'error'],
        })}
      </div>
      <h2>Customer</h2>
      <div className="pair">
        {text('firstName', 'First name', 'customer.first_name', { autoComplete: 'off' })}
        {text('lastName', 'Last name', 'customer.last_name', { autoComplete: 'off' })}
        {text('phone', 'Phone', 'customer.phone', { type: 'tel', autoComplete: 'off' })}
        {text('email', 'Email', 'customer.email', { type: 'email', autoComplete: 'off' })}
      </div>
      <h2>Address</h2>
      {text('address', 'Street address', 'address.address', { autoComplete: 'off' })}
      <div className="pair">
        {text('address2', 'Unit or level', 'address.address2', { autoComplete: 'off', required: false })}
        {text('company', 'Company', 'address.company_name', {
          autoComplete: 'off',
          required: false,
          description: 'Only for deliveries to a business',
          inputWrapperOrder: ['label', 'input', 'description', 'error'],
        })}
      </div>
      <div className="trio">
        <SuburbField
          draft={draft}
          change={change}
          error={mistakes.of('address.city')}
          near={store.address.state}
        />
        <Select
          label="State"
          value={draft.state}
          onChange={(state) => state && change({ state })}
          data={[...STATES]}
          error={mistakes.of('address.state')}
        />
        {text('postCode', 'Postcode', 'address.post_code', { inputMode: 'numeric', maxLength: 4 })}
      </div>
      <AddressQuestion draft={draft} change={change} />
      <ParcelRows parcels={draft.parcels} change={(parcels) => change({ parcels })} mistakes={mistakes} />
      <h2>For the driver</h2>
      <Textarea
        label="Instructions"
        maxLength={1000}
        value={draft.instructions}
        onChange={(event) => change({ instructions: event.currentTarget.value })}
        error={mistakes.of('special_instructions')}
      />
      {children}
    </form>
  )
}

type TextField =
  | 'reference'
  | 'readyAt'
  | 'firstName'
  | 'lastName'
  | 'phone'
  | 'email'
  | 'address'
  | 'address2'
  | 'company'
  | 'postCode'

type SuburbFieldProps = Pick<FormProps, 'draft' | 'change'> & { error: string | null; near: string }

/** Suburbs come with state and postcode; the table is fetched when the field is first used. */
function SuburbField({ draft, change, error, near }: SuburbFieldProps) {
  const [found, setFound] = useState<Suburb[]>([])
  const words = ({ suburb, postCode, state }: Suburb) => `${suburb} ${state} ${postCode}`
  const look = async (text: string) => setFound((await import('./suburbs.ts')).suburbsLike(text, near))
  return (
    <Autocomplete
      label="Suburb"
      required
      autoComplete="off"
      value={draft.city}
      data={[...new Set(found.map(words))]}
      filter={({ options }) => options}
      error={error}
      onFocus={() => import('./suburbs.ts')}
      onChange={(value) => {
        const one = found.find((suburb) => words(suburb) === value)
        if (one) change({ city: one.suburb, state: one.state, postCode: one.postCode })
        else {
          change({ city: value })
          void look(value)
        }
      }}
    />
  )
}

export type Mistakes = { of(field: string): string | null }

/** The server's messages by field. */
function useMistakes(error: unknown): Mistakes {
  const errors = error instanceof Problem ? error.errors : []
  return {
    of: (field) => {
      const mistake = errors.find((one) => one.field === field)
      return mistake ? bareMistake(mistake) : null
    },
  }
}

/** All mistakes at the top after a submit; they get the focus. */
function MistakeSummary({ error, otherwise }: Pick<FormProps, 'error' | 'otherwise'>) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error) box.current?.focus()
  }, [error])
  if (!error) return null
  const { status, errors, message } = toProblem(error)
  const [mistake] = errors
  return (
    <div ref={box} className="state err" role="alert" tabIndex={-1}>
      <h2>
        {errors.length > 1 ? `${errors.length} problems to fix` : status === 0 ? 'No connection.' : otherwise}
      </h2>
      {errors.length > 1 ? (
        <ul className="mistakes">
          {errors.map((one) => (
            <li key={one.field + one.message}>{namedMistake(one)}</li>
          ))}
        </ul>
      ) : (
        <p>{mistake?.message === message ? namedMistake(mistake) : message}</p>
      )}
    </div>
  )
}

/** Whether the parcel may be left without a signature. */
export function LeaveField({ draft, change }: Pick<FormProps, 'draft' | 'change'>) {
  return (
    <Checkbox
      label="Parcels may be left at the door"
      checked={draft.leave}
      onChange={(event) => change({ leave: event.currentTarget.checked })}
    />
  )
}

import { useEffect, useState } from 'react'
import type { Draft } from './draft.ts'
import type { Contradiction } from './suburbs.ts'

type AddressQuestionProps = { draft: Draft; change(change: Partial<Draft>): void }

/** Asks when the suburb is known under another postcode: the parcel would go to the wrong suburb. */
export function AddressQuestion({ draft, change }: AddressQuestionProps) {
  const { city, postCode, state } = draft
  const [found, setFound] = useState<Contradiction | null>(null)
  const [keptAddress, setKeptAddress] = useState('')
  const written = `${city} ${state} ${postCode}`
  useEffect(() => {
    let isStale = false
    setFound(null)
    if (/^\d{4}$/.test(postCode) && city.trim() !== '')
      void import('./suburbs.ts').then(({ contradictionIn }) => {
        if (!isStale) setFound(contradictionIn(city, postCode))
      })
    return () => {
      isStale = true
    }
  }, [city, postCode])
  if (found === null || keptAddress === written) return null
  const choices = [...found.ofSuburb, ...found.ofPostCode]
  return (
    <fieldset className="question" aria-live="polite">
      <legend>
        {city.trim()} doesn’t have the postcode {postCode}. Which address is right?
      </legend>
      {choices.map((one) => (
        <button
          key={`${one.suburb} ${one.state} ${one.postCode}`}
          type="button"
          className="b"
          onClick={() => change({ city: one.suburb, state: one.state, postCode: one.postCode })}
        >
          {one.suburb} {one.state} {one.postCode}
        </button>
      ))}
      <button type="button" className="b" onClick={() => setKeptAddress(written)}>
        Keep {city.trim()} {state} {postCode}
      </button>
    </fieldset>
  )
}

import { useState } from 'react'

/** The texts of a dialog's fields by name, and the props of each field. */
export function useTexts<T extends Readonly<Record<string, string>>>(first: T) {
  const [texts, setTexts] = useState(first)
  const set = (name: keyof T, value: string) => setTexts((known) => ({ ...known, [name]: value }))
  const text = (name: keyof T) => ({
    value: texts[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => set(name, currentTarget.value),
  })
  return { texts, set, text }
}

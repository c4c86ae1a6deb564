import { type FormEvent, useRef, useState } from 'react'
import { Icon } from '../../shared/icon.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { useFind } from './use-find.ts'

/** Finds an order, a name or a suburb in all days; `/` focuses it, and a label scanned into it opens its delivery. */
export function SearchField() {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const find = useFind()
  useKeys({ '/': () => field.current?.focus() })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void find(text)
    setText('')
    field.current?.blur()
  }
  return (
    <search className="find">
      <form onSubmit={submit}>
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          aria-label="Search deliveries"
          placeholder="Order, name, suburb"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && field.current?.blur()}
        />
        <kbd>/</kbd>
      </form>
    </search>
  )
}

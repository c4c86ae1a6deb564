import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { Icon } from '../../shared/icon.tsx'
import { useKeys } from '../keys/use-keys.ts'

/** Finds an order, a name or a suburb in all days; `/` leads here. */
export function SearchField() {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const navigate = useNavigate()
  useKeys({ '/': () => field.current?.focus() })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const q = text.trim()
    if (q) void navigate({ to: '/deliveries', search: { q } })
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

import { useEffect, useRef } from 'react'
import { remember, remembered } from '../remembered.ts'

/** `n`, `shift+x`, `mod+enter`, or two in a row: `g t`. */
export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>

const BETWEEN_TWO_MS = 1_200
/** What is typed into, and what has keys of its own. */
const TYPING =
  'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=menu], [role=listbox]'

/** Single keys, off while one types, in menus and dialogs, and wherever the person has switched them off. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    let first: { key: string; atMs: number } | null = null
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      if (event.defaultPrevented || !keysAreOn() || document.querySelector('dialog[open]')) return
      const name = nameOf(event)
      if (name === null || (target instanceof Element && target.closest(TYPING) && !name.startsWith('mod+')))
        return
      const two = first && performance.now() - first.atMs < BETWEEN_TWO_MS ? `${first.key} ${name}` : null
      first = { key: name, atMs: performance.now() }
      const act = (two !== null && latest.current[two]) || latest.current[name]
      if (!act) return
      event.preventDefault()
      first = null
      act(event)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

export function keysAreOn(): boolean {
  return remembered('keys') !== 'off'
}

/** Switches them and answers whether they are on now. */
export function switchKeys(): boolean {
  remember('keys', keysAreOn() ? 'off' : null)
  return keysAreOn()
}

function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | null {
  if (altKey) return null
  const plain = key.length === 1 ? key.toLowerCase() : key.toLowerCase()
  if (ctrlKey || metaKey) return `mod+${plain}`
  return shiftKey && /^[a-z]$/.test(plain) ? `shift+${plain}` : plain
}

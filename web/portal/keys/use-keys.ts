import { type RefObject, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { readSetting, saveSetting } from '../../shared/local-storage.ts'

/** `n`, `shift+x`, `mod+enter`, or two in a row: `g t`. */
export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>

const BETWEEN_TWO_MS = 1_200
/** A scanner types whole codes, faster than any person, and ends them with Enter. */
const BETWEEN_SCANNED_MS = 50
const MIN_SCANNED = 6
/** Elements for typing, and elements with their own keys. */
const TYPING =
  'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=menu], [role=listbox]'

const layers = new Set<RefObject<Keys>>()
/** Shortcuts of every page, unless the page overrides them. */
const ground = new Set<RefObject<Keys>>()
const scans = new Set<RefObject<(text: string) => void>>()
/** Typed just now, and not yet handled: it may be the start of a scanned label. */
let burst: KeyboardEvent[] = []
let timer: ReturnType<typeof setTimeout> | undefined
let first: { key: string; atMs: number } | null = null

/** Single keys, inactive while the user types, in menus and dialogs, and if the user has switched them off. */
export function useKeys(keys: Keys): void {
  useLayer(layers, keys)
}

/** Shortcuts of the frame: a page's own come first. */
export function useFrameKeys(keys: Keys): void {
  useLayer(ground, keys)
}

/** A label scanned while no field has the focus; its characters trigger no shortcut. */
export function useScans(scanned: (text: string) => void): void {
  useLayer(scans, scanned)
}

function useLayer<T>(all: Set<RefObject<T>>, value: T): void {
  const latest = useRef(value)
  latest.current = value
  useEffect(() => {
    all.add(latest)
    window.addEventListener('keydown', onKey)
    return () => {
      all.delete(latest)
      if (layers.size + ground.size + scans.size === 0) window.removeEventListener('keydown', onKey)
    }
  }, [all])
}

export function keysAreOn(): boolean {
  return readSetting('keys') !== 'off'
}

/** Switches them on or off and returns the new state. */
export function switchKeys(): boolean {
  saveSetting('keys', keysAreOn() ? 'off' : null)
  return keysAreOn()
}

function onKey(event: KeyboardEvent): void {
  const { target, key, repeat, ctrlKey, metaKey, altKey } = event
  if (event.defaultPrevented || document.querySelector('dialog[open]')) return
  const chord = ctrlKey || metaKey || altKey
  if (target instanceof Element && target.closest(TYPING)) {
    if (chord) act(event)
    return
  }
  // A scanner does not hold a key down.
  if (!chord && !repeat && /^[\w\-\]^]$/.test(key)) {
    burst.push(event)
    if (handlerOf(event)) event.preventDefault()
    clearTimeout(timer)
    timer = setTimeout(flush, BETWEEN_SCANNED_MS)
    return
  }
  if (burst.length === 0) {
    act(event)
    return
  }
  // A scanner's shift is part of its input, and so is the separator between two elements of a GS1 code.
  if (key === 'Shift' || key === 'Control') return
  if (key === 'Enter' || (ctrlKey && key === ']')) event.preventDefault()
  if (ctrlKey && key === ']') return
  if (key === 'Enter' && burst.length >= MIN_SCANNED) {
    const text = burst.map((one) => one.key).join('')
    forgetBurst()
    for (const scanned of scans) scanned.current(text)
    return
  }
  flush()
  if (key === 'Enter') (document.activeElement as HTMLElement | null)?.click()
  else act(event)
}

/** A person typed these keys: each runs in order, after the one before has taken effect. */
function flush(): void {
  const typed = burst
  forgetBurst()
  for (const event of typed) flushSync(() => act(event))
}

function forgetBurst(): void {
  clearTimeout(timer)
  burst = []
}

function act(event: KeyboardEvent): void {
  const handler = handlerOf(event)
  const name = nameOf(event)
  first = handler || name === null ? null : { key: name, atMs: event.timeStamp }
  if (!handler) return
  event.preventDefault()
  handler(event)
}

function handlerOf(event: KeyboardEvent) {
  const name = nameOf(event)
  if (name === null || !keysAreOn()) return undefined
  const two = first && event.timeStamp - first.atMs < BETWEEN_TWO_MS ? `${first.key} ${name}` : null
  const all = [...layers, ...ground].map(({ current }) => current)
  const found = all.find((keys) => two !== null && keys[two]) ?? all.find((keys) => keys[name])
  return found && ((two !== null && found[two]) || found[name])
}

function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | null {
  if (altKey) return null
  const plain = key.toLowerCase()
  if (ctrlKey || metaKey) return `mod+${plain}`
  return shiftKey && /^[a-z]$/.test(plain) ? `shift+${plain}` : plain
}

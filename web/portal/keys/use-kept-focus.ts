import { useEffect } from 'react'

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled, [tabindex="-1"]), textarea:not(:disabled), summary'

/**
 * Keeps the keyboard user's place: when the element with the focus is removed, the next one gets the
 * focus; on another page, or at the end of one, its heading does. Browsers would start again at the top.
 */
export function useKeptFocus(): void {
  useEffect(keepFocus, [])
}

/** No element has the focus, or only a heading that marks the place. */
export function isFocusFree(): boolean {
  return document.activeElement === document.body || document.activeElement === findHeading()
}

function keepFocus(): () => void {
  let isByKeys = false
  let last: Element | null = null
  /** The focus was lost, and the next page has no heading yet. */
  let isWaiting = false
  const onKey = () => {
    isByKeys = true
  }
  const onPointer = () => {
    isByKeys = false
    isWaiting = false
  }
  const onFocus = ({ target }: FocusEvent) => {
    last = target instanceof Element ? target : null
    isWaiting = false
  }
  // A person who leaves a field on purpose is not brought back. The field is still there then.
  const onBlur = () =>
    setTimeout(() => {
      if (document.hasFocus() && isNowhere() && last?.isConnected && last.checkVisibility()) last = null
    })
  const observer = new MutationObserver((records) => {
    if (!isByKeys || !isNowhere()) return
    if (!isWaiting) {
      const lost = last
      if (lost === null || lost.isConnected) return
      findNext(records, lost)?.focus()
      isWaiting = isNowhere()
    }
    if (isWaiting) focusHeading()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  addEventListener('keydown', onKey, true)
  addEventListener('pointerdown', onPointer, true)
  addEventListener('focusin', onFocus)
  addEventListener('focusout', onBlur)
  return () => {
    observer.disconnect()
    removeEventListener('keydown', onKey, true)
    removeEventListener('pointerdown', onPointer, true)
    removeEventListener('focusin', onFocus)
    removeEventListener('focusout', onBlur)
  }
}

function isNowhere(): boolean {
  return document.activeElement === document.body
}

/** What follows the removed element in the box around it, or else what precedes it; null if that is the whole page. */
function findNext(records: readonly MutationRecord[], lost: Element): HTMLElement | null {
  const removes = (is: (node: Node) => boolean) => (record: MutationRecord) =>
    [...record.removedNodes].some(is)
  const isOtherPage = records.some(removes((one) => one instanceof Element && one.matches('h1, :has(h1)')))
  const removal = records.find(removes((one) => one.contains(lost)))
  if (isOtherPage || !removal?.target.isConnected) return null
  const { target, previousSibling } = removal
  const before = previousSibling?.isConnected ? previousSibling : null
  for (let box: Node | null = target; box instanceof Element && box !== document.body; box = box.parentNode) {
    const all = [...box.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((one) => one.checkVisibility())
    const [next] = all.filter((one) => follows(before ?? target, one) && !before?.contains(one))
    if (next) return next
    if (box.id === 'page') return null
    const earlier = all.at(-1)
    if (earlier) return earlier
  }
  return null
}

function follows(one: Node, other: Node): boolean {
  return (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}

function findHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>('#page h1')
}

function focusHeading(): void {
  const heading = findHeading()
  if (heading === null) return
  heading.tabIndex = -1
  heading.focus()
}

import { useState } from 'react'

/** Copies a text to the clipboard. Without HTTPS there is no clipboard: the user then copies it by hand. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState<string | null>(null)
  const copy = async () => {
    await navigator.clipboard?.writeText(text)
    setCopied(text)
  }
  return (
    <button type="button" className="b s" aria-label={copied === text ? 'Copied' : label} onClick={copy}>
      {copied === text ? 'Copied' : 'Copy'}
    </button>
  )
}

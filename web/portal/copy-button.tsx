import { useState } from 'react'
import { copyText } from './copy-text.ts'

/** Copies a text to the clipboard. Without HTTPS there is no clipboard: the user then copies it by hand. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState<string | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const copy = async () => {
    const isCopied = await copyText(text)
    setCopied(isCopied ? text : null)
    setFailed(isCopied ? null : text)
  }
  return (
    <>
      <button type="button" className="b s" aria-label={copied === text ? 'Copied' : label} onClick={copy}>
        {copied === text ? 'Copied' : 'Copy'}
      </button>
      {failed === text && (
        <span role="alert" className="field-error">
          Your browser didn’t copy it. Select the text and copy it yourself.
        </span>
      )}
    </>
  )
}

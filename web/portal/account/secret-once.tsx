import { useState } from 'react'
import { Dialog } from '../../shared/dialog.tsx'

/** A secret that is shown this once. */
export function SecretOnce({
  title,
  lines,
  onClose,
}: {
  title: string
  lines: readonly [string, string][]
  onClose(): void
}) {
  const [copied, setCopied] = useState<string | null>(null)
  const copy = async (value: string) => {
    // Without HTTPS there is no clipboard: then it is copied by hand.
    await navigator.clipboard?.writeText(value)
    setCopied(value)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="dim">
        The secret is shown this once. Nobody can read it again: keep it where secrets are kept.
      </p>
      <dl className="secret">
        {lines.map(([word, value]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>
              <span className="mono">{value}</span>
              <button type="button" className="b s" aria-label={`Copy ${word}`} onClick={() => copy(value)}>
                {copied === value ? 'Copied' : 'Copy'}
              </button>
            </dd>
          </div>
        ))}
      </dl>
      <div className="row-of-buttons">
        <button type="button" className="b ink" onClick={onClose}>
          I have it
        </button>
      </div>
    </Dialog>
  )
}

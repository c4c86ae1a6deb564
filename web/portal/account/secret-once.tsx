import { Dialog } from '../../shared/dialog.tsx'
import { CopyButton } from '../copy-button.tsx'

/** A secret, shown only once: Escape does not close it. */
export function SecretOnce({
  title,
  lines,
  onClose,
}: {
  title: string
  lines: readonly [string, string][]
  onClose(): void
}) {
  return (
    <Dialog title={title}>
      <p className="dim">We show this secret only once. Copy it now and keep it in your password manager.</p>
      <dl className="secret">
        {lines.map(([word, value]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>
              <span className="mono">{value}</span>
              <CopyButton text={value} label={`Copy ${word.charAt(0).toLowerCase()}${word.slice(1)}`} />
            </dd>
          </div>
        ))}
      </dl>
      <div className="row-of-buttons">
        <button type="button" className="b ink" onClick={onClose}>
          I’ve saved it
        </button>
      </div>
    </Dialog>
  )
}

import { ActionButton } from '../shared/action-button.tsx'

type DialogButtonsProps = {
  /** The label of the submit button. */
  submitLabel: string
  busy?: boolean
  /** Cancel works while it is busy: the browser’s own prompt may stay open for minutes. */
  canAlwaysCancel?: boolean
  /** Why the form can’t be submitted yet. */
  disabledReason?: string | false | null
  /** Omitted if the form is part of a page, because there is nothing to cancel. */
  onClose?: (() => void) | undefined
}

/** The buttons below a dialog's form: one submits it, the other closes the dialog. */
export function DialogButtons({
  submitLabel,
  busy = false,
  canAlwaysCancel = false,
  disabledReason = null,
  onClose,
}: DialogButtonsProps) {
  return (
    <div className="row-of-buttons">
      <ActionButton type="submit" className="b ink" busy={busy} disabledReason={disabledReason}>
        {submitLabel}
      </ActionButton>
      {onClose && (
        <ActionButton className="b" busy={busy && !canAlwaysCancel} onClick={onClose}>
          Cancel
        </ActionButton>
      )}
    </div>
  )
}

import { ActionButton } from '../shared/action-button.tsx'

type DialogButtonsProps = {
  /** The label of the submit button. */
  yes: string
  busy?: boolean
  /** Why the form can’t be submitted yet. */
  closed?: string | false | null
  /** Omitted if the form is part of a page, because there is nothing to cancel. */
  onClose?: (() => void) | undefined
}

/** The buttons below a dialog's form: one submits it, the other closes the dialog. */
export function DialogButtons({ yes, busy = false, closed = null, onClose }: DialogButtonsProps) {
  return (
    <div className="row-of-buttons">
      <ActionButton type="submit" className="b ink" busy={busy} closed={closed}>
        {yes}
      </ActionButton>
      {onClose && (
        <button type="button" className="b" onClick={onClose}>
          Cancel
        </button>
      )}
    </div>
  )
}

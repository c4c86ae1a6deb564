import { ActionButton } from '../shared/action-button.tsx'

type DialogButtonsProps = {
  /** The words of the button that sends the form. */
  yes: string
  busy?: boolean
  /** Why the form can’t be sent yet. */
  closed?: string | false | null
  /** Left out where the form is part of a page: there is nothing to cancel. */
  onClose?: (() => void) | undefined
}

/** The buttons below a dialog's form: one sends it, the other closes the dialog. */
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

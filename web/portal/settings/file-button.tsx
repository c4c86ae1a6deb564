import { useRef } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'

type FileButtonProps = {
  children: string
  /** The name of the file for screen readers. */
  label: string
  accept: string
  busy: boolean
  /** Why it can’t be used now. */
  disabledReason?: string | false
  choose(file: File): void
}

/** A button that opens the file chooser. The same file can be chosen twice. */
export function FileButton({
  children,
  label,
  accept,
  busy,
  disabledReason = false,
  choose,
}: FileButtonProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={field}
        type="file"
        accept={accept}
        className="vh"
        tabIndex={-1}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          currentTarget.value = ''
          if (file) choose(file)
        }}
      />
      <ActionButton
        type="button"
        className="b s"
        busy={busy}
        disabledReason={disabledReason}
        onClick={() => field.current?.click()}
      >
        {children}
      </ActionButton>
    </>
  )
}

/** The buttons of a dialog that adds something. */
export function AddOrLeave({ onClose }: { onClose(): void }) {
  return (
    <div className="row-of-buttons">
      <button type="submit" className="b ink">
        Add
      </button>
      <button type="button" className="b" onClick={onClose}>
        Leave it
      </button>
    </div>
  )
}

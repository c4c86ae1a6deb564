/** The buttons of a dialog that adds something. */
export function AddOrCancel({ onClose }: { onClose(): void }) {
  return (
    <div className="row-of-buttons">
      <button type="submit" className="b ink">
        Add
      </button>
      <button type="button" className="b" onClick={onClose}>
        Cancel
      </button>
    </div>
  )
}

import { Dialog } from '../../shared/dialog.tsx'

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['J K', 'next or previous delivery'],
  ['Enter', 'open the delivery'],
  ['X', 'tick the delivery; with Shift, tick all deliveries up to it'],
  ['A', 'tick all deliveries in its group'],
  ['P', 'print labels'],
  ['Y', 'confirm that the labels printed'],
  ['M', 'manifest the ticked deliveries, the open delivery, or all of today’s deliveries'],
  ['N', 'new delivery'],
  ['E', 'amend the delivery'],
  ['R', 'give the delivery to another carrier or one of your couriers'],
  ['/', 'search (scanning a label opens its delivery at any time)'],
  ['G then T D M I', 'go to Today, Deliveries, Manifests or Insights'],
  ['[ ]', 'previous or next day'],
  ['Esc', 'clear the ticks or go back'],
  ['Ctrl Enter', 'submit a form, or review changed settings'],
]

/** Every shortcut, once; single keys can be switched off in the user menu. */
export function KeysHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="kv keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys.split(' ').map((key) => (key === 'then' ? ' then ' : <kbd key={key}>{key}</kbd>))}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p className="dim">
        You can switch off single-key shortcuts in the menu under your initials at the top right.
      </p>
      <button type="button" className="b" onClick={onClose}>
        Close
      </button>
    </Dialog>
  )
}

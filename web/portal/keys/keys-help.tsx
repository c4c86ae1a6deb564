import { Dialog } from '../../shared/dialog.tsx'

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['J K', 'next, previous delivery'],
  ['Enter', 'open it'],
  ['X', 'tick it; Shift X ticks through'],
  ['A', 'tick all of its group'],
  ['P', 'print labels'],
  ['Y', 'yes, the labels came out'],
  ['M', 'manifest what is ticked or open, else the day'],
  ['N', 'new delivery'],
  ['E', 'amend'],
  ['R', 'give it to another carrier, or to a courier of yours'],
  ['/', 'search; a scanned label opens its delivery at any time'],
  ['G then T D M I', 'go to Today, Deliveries, Manifests, Insights'],
  ['[ ]', 'day before, day after'],
  ['Esc', 'clear, back'],
  ['Ctrl Enter', 'submit; review changed settings'],
]

/** Every shortcut, once; single keys can be switched off in the user menu. */
export function KeysHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="kv keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys.split(' ').map((key) => (key === 'then' ? ' then ' : <kbd key={key}>{key}</kbd>))}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p className="dim">Single keys can be switched off in your menu, at the top right.</p>
      <button type="button" className="b" onClick={onClose}>
        Close
      </button>
    </Dialog>
  )
}

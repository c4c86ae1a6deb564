import { Menu, TextInput } from '@mantine/core'
import { type Ref, useState } from 'react'
import { createPortal } from 'react-dom'
import { Dialog } from '../../shared/dialog.tsx'
import { Icon } from '../../shared/icon.tsx'
import { onSubmit } from '../on-submit.ts'
import { usePortal } from '../portal.ts'

/** With more stores than this, the menu has a search. */
const MAX_IN_MENU = 10

/** The selected store. */
export function StoreMenu() {
  const { stores, store, chooseStore } = usePortal()
  const [searching, setSearching] = useState(false)
  if (stores.length === 0) return null
  if (stores.length === 1) return <span className="store">{store.name}</span>
  if (stores.length > MAX_IN_MENU) {
    return (
      <>
        <StoreButton onClick={() => setSearching(true)} />
        {/* Outside the header, whose buttons are light on dark. */}
        {searching && createPortal(<ChooseStore onClose={() => setSearching(false)} />, document.body)}
      </>
    )
  }
  return (
    <Menu menuItemTabIndex={0} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <StoreButton />
      </Menu.Target>
      <Menu.Dropdown className="store-list">
        {stores.map(({ reference, name }) => (
          <Menu.Item
            key={reference}
            onClick={() => chooseStore(reference)}
            aria-current={reference === store.reference || undefined}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function StoreButton(props: { ref?: Ref<HTMLButtonElement>; onClick?(): void }) {
  const { store } = usePortal()
  return (
    <button {...props} type="button" className="store" aria-label={`Store: ${store.name}`}>
      {store.name} <Icon name="down" size={14} />
    </button>
  )
}

/** Enter takes the first match. */
function ChooseStore({ onClose }: { onClose(): void }) {
  const { stores, store, chooseStore } = usePortal()
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = stores.filter(({ name, reference }) => `${name} ${reference}`.toLowerCase().includes(wanted))
  const take = (reference: string) => {
    chooseStore(reference)
    onClose()
  }
  const [first] = found
  return (
    <Dialog title="Which store?" onClose={onClose}>
      <form onSubmit={onSubmit(() => wanted && first && take(first.reference))}>
        <TextInput label="Store name" value={text} onChange={(event) => setText(event.currentTarget.value)} />
      </form>
      <ul className="choices store-list">
        {found.map(({ reference, name }) => (
          <li key={reference}>
            <button
              type="button"
              className="b"
              aria-current={reference === store.reference || undefined}
              onClick={() => take(reference)}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
      {!first && <p className="dim">No store matches that name.</p>}
      <div className="row-of-buttons">
        <button type="button" className="b" onClick={onClose}>
          Stay at {store.name}
        </button>
      </div>
    </Dialog>
  )
}

import { TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Dialog } from '../../shared/dialog.tsx'
import { readSetting, saveSetting } from '../../shared/local-storage.ts'
import { DialogButtons } from '../dialog-buttons.tsx'
import { sentByButton } from '../on-submit.ts'
import type { DeliveriesSearch } from '../routes.tsx'

type View = { name: string; search: DeliveriesSearch }

/** Named filters, stored in this browser; to share one, send its address. */
export function Views({ search }: { search: DeliveriesSearch }) {
  const [views, setViews] = useState(readViews)
  const [naming, setNaming] = useState(false)
  const current = views.find((one) => isSame(one.search, search))
  const keep = (all: readonly View[]) => {
    saveSetting('views', JSON.stringify(all))
    setViews(all)
    setNaming(false)
  }
  const isNarrow = Object.keys(search).length > 0
  if (views.length === 0 && !isNarrow) return null
  return (
    <nav className="views" aria-label="Saved views">
      {views.map((view) => (
        <Link
          key={view.name}
          to="/deliveries"
          search={view.search}
          className="b s"
          aria-current={view === current ? 'page' : undefined}
          activeProps={{}}
        >
          {view.name}
        </Link>
      ))}
      {isNarrow && !current && (
        <button type="button" className="b s quiet linklike" onClick={() => setNaming(true)}>
          Save this view
        </button>
      )}
      {current && (
        <button
          type="button"
          className="b s quiet linklike"
          onClick={() => keep(views.filter((one) => one !== current))}
        >
          Delete “{current.name}”
        </button>
      )}
      {naming && (
        <NameIt
          onClose={() => setNaming(false)}
          keep={(name) => keep([...views.filter((one) => one.name !== name), { name, search }])}
        />
      )}
    </nav>
  )
}

function NameIt({ keep, onClose }: { keep(name: string): void; onClose(): void }) {
  const [name, setName] = useState('')
  const sending = sentByButton(() => keep(name.trim()))
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <form {...sending} className="fields">
        <TextInput
          label="Name"
          description="Saved in this browser only. To share a view, send the address of the page."
          required
          pattern=".*\S.*"
          maxLength={40}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <DialogButtons submitLabel="Save" onClose={onClose} />
      </form>
    </Dialog>
  )
}

function readViews(): readonly View[] {
  return JSON.parse(readSetting('views') ?? '[]')
}

function isSame(some: DeliveriesSearch, others: DeliveriesSearch): boolean {
  const text = (search: DeliveriesSearch) => JSON.stringify(Object.entries(search).sort())
  return text(some) === text(others)
}

import { Menu, useMantineColorScheme } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { saveSetting } from '../../shared/local-storage.ts'
import { FieldError } from '../field-error.tsx'
import { keysAreOn, switchKeys } from '../keys/use-keys.ts'
import { usePortal } from '../portal.ts'

const SCHEMES = [
  ['auto', 'Same mode as this device'],
  ['light', 'Light mode'],
  ['dark', 'Dark mode'],
] as const

/** The user, and their own settings. */
export function PersonMenu() {
  const { session, tenantId } = usePortal()
  const queries = useQueryClient()
  const [keys, setKeys] = useState(keysAreOn)
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const {
    mutate: leave,
    error,
    reset,
  } = useMutation({
    mutationFn: () => api.DELETE('/session'),
    onSuccess: () => {
      saveSetting('account', null)
      return queries.resetQueries()
    },
  })
  const { name, email } = session.user
  return (
    <Menu position="bottom-end" onClose={reset}>
      <Menu.Target>
        <button type="button" className="me" aria-label={`${initialsOf(name ?? email)}, ${name ?? email}`}>
          {initialsOf(name ?? email)}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name ?? email}, {session.account_name ?? tenantId}
        </Menu.Label>
        <Menu.Divider />
        {SCHEMES.map(([value, word]) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={colorScheme === value}
            leftSection={<Chosen on={colorScheme === value} />}
            onClick={() => setColorScheme(value)}
          >
            {word}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          role="menuitemcheckbox"
          aria-checked={keys}
          leftSection={<Chosen on={keys} />}
          onClick={() => setKeys(switchKeys())}
        >
          Single-key shortcuts
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item component={Link} to="/log-in">
          Your account
        </Menu.Item>
        <Menu.Item component="a" href="/portal/licences.txt" target="_blank">
          Licences
        </Menu.Item>
        {/* The menu stays open for the error. */}
        <Menu.Item closeMenuOnClick={false} onClick={() => leave()}>
          Log out
        </Menu.Item>
        {error && (
          <Menu.Label className="menu-error">
            <FieldError error={error} />
          </Menu.Label>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function Chosen({ on }: { on: boolean }) {
  return <span aria-hidden="true">{on ? '●' : '○'}</span>
}

function initialsOf(name: string): string {
  const letters = name.split(/[\s@.]+/).map((word) => [...word][0] ?? '')
  return letters.slice(0, 2).join('').toUpperCase()
}

import { Select } from '@mantine/core'
import { useState } from 'react'
import {
  getTitle,
  type TextChannel,
  type TextPlace,
} from '../../../../src/domain/messages/message-templates.ts'
import { MESSAGE_TEXTS, TRACKING_TEXTS } from '../../../../src/domain/values.ts'
import { useTitle } from '../../use-title.ts'
import { type Json, valueAt } from '../edits.ts'
import { useSettings } from '../settings.ts'
import { MessageEditor } from './message-editor.tsx'

const CHANNELS: readonly { value: TextChannel; label: string }[] = [
  { value: 'sms', label: 'SMS' },
  { value: 'email', label: 'Email' },
  { value: 'tracking_page', label: 'Tracking page' },
]

const LANGUAGE_NAMES = new Intl.DisplayNames('en-AU', { type: 'language' })

/** The texts that customers get: each is ours until the owner writes their own. */
export function MessagesPage() {
  useTitle('Settings: messages')
  const { document } = useSettings()
  const languages = listLanguages(document)
  const [language, setLanguage] = useState('en')
  const [channel, setChannel] = useState<TextChannel>('sms')
  const [chosen, setChosen] = useState('booked')
  const places = listPlaces(channel)
  const place = places.find(({ name }) => name === chosen) ?? (places[0] as TextPlace)
  return (
    <>
      <div className="head">
        <h1>Messages</h1>
        <span className="dim">What customers read in your messages and on the tracking page.</span>
      </div>
      <div className="message-choices">
        <div className="row-of-buttons tight">
          {CHANNELS.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              className={`b${value === channel ? ' on' : ''}`}
              aria-pressed={value === channel}
              onClick={() => setChannel(value)}
            >
              {label}
            </button>
          ))}
        </div>
        {languages.length > 1 && (
          <Select
            label="Language"
            allowDeselect={false}
            data={languages.map((code) => ({ value: code, label: LANGUAGE_NAMES.of(code) ?? code }))}
            value={language}
            onChange={(value) => value && setLanguage(value)}
          />
        )}
      </div>
      <div className="message-texts">
        <ul className="sheet message-list" aria-label="Messages">
          {places.map((one) => (
            <li key={one.name}>
              <button
                type="button"
                aria-current={one.name === place.name ? 'true' : undefined}
                onClick={() => setChosen(one.name)}
              >
                {toLabel(getTitle(one))}{' '}
                {valueAt(document, ['message_texts', language, channel, one.name]) !== undefined && (
                  <small className="dim">Your wording</small>
                )}
              </button>
            </li>
          ))}
        </ul>
        <MessageEditor key={`${language} ${channel} ${place.name}`} language={language} place={place} />
      </div>
    </>
  )
}

/** A place for each message; of an email the one of its body. */
function listPlaces(channel: TextChannel): TextPlace[] {
  if (channel === 'tracking_page') return TRACKING_TEXTS.map((name) => ({ channel, name, part: null }))
  if (channel === 'email') return MESSAGE_TEXTS.map((name) => ({ channel, name, part: 'body' }))
  return MESSAGE_TEXTS.map((name) => ({ channel, name, part: null }))
}

/** English, and what the document has. */
function listLanguages(document: Json): string[] {
  const brands = (document.brands ?? []) as readonly { language?: string }[]
  const used = brands.flatMap(({ language }) => language ?? [])
  return [...new Set(['en', ...Object.keys(document.message_texts ?? {}), ...used])]
}

function toLabel(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1)
}

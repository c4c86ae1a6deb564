import { Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { toIssue } from '../../../../src/domain/account/validation/mistake.ts'
import {
  EXAMPLE_VALUES,
  getOurText,
  getTitle,
  listPlaceholders,
  PLACEHOLDERS,
  type Placeholder,
  renderMessage,
  renderSentence,
  type TextPlace,
  type Values,
} from '../../../../src/domain/messages/message-templates.ts'
import { countSmsParts } from '../../../../src/domain/messages/sms-parts.ts'
import { lacksLink, listTemplateMistakes } from '../../../../src/domain/messages/template-mistakes.ts'
import { count } from '../../../shared/count.ts'
import { type Json, type Place, valueAt } from '../edits.ts'
import { changeText, toTextPlace } from '../form-edits.ts'
import { useSettings } from '../settings.ts'
import { TestMessage } from './test-message.tsx'

type EditorProps = { language: string; place: TextPlace }
type Field = HTMLTextAreaElement | HTMLInputElement

/** One message: its text with placeholders, what a customer would read, a test and the way back to our wording. */
export function MessageEditor({ language, place }: EditorProps) {
  const settings = useSettings()
  const { document, set } = settings
  const [testing, setTesting] = useState(false)
  /** The field that the person was in last: placeholders go there. */
  const [part, setPart] = useState(place.part)
  const fields = useRef(new Map<TextPlace['part'], Field>())
  const heading = useId()
  const { channel, name } = place
  const whole: Place = ['message_texts', language, channel, name]
  const own = (one: TextPlace) => valueAt(document, toTextPlace(language, one)) as string | undefined
  const read = (one: TextPlace) => own(one) ?? (language === 'en' ? getOurText(one) : '')
  const write = (one: TextPlace, text: string) => changeText(settings, language, one, text)
  const places: TextPlace[] =
    place.channel === 'email'
      ? [
          { ...place, part: 'subject' },
          { ...place, part: 'body' },
        ]
      : [place]
  const active = places.find((one) => one.part === part) ?? place
  const insert = (placeholder: Placeholder) => {
    const field = fields.current.get(active.part)
    const text = read(active)
    const [start, end] = [field?.selectionStart ?? text.length, field?.selectionEnd ?? text.length]
    const mark = `{{${placeholder}}}`
    // React writes the text first, which moves the cursor to its end.
    flushSync(() => write(active, text.slice(0, start) + mark + text.slice(end)))
    field?.focus()
    field?.setSelectionRange(start + mark.length, start + mark.length)
  }
  const propsOf = (one: TextPlace) => ({
    ref: (field: Field | null) => {
      if (field) fields.current.set(one.part, field)
    },
    value: read(one),
    // Without a text of their own, customers get ours.
    error: own(one) === undefined ? undefined : listMistakes(read(one), one).join(' ') || undefined,
    onFocus: () => setPart(one.part),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => write(one, currentTarget.value),
  })
  const isOwn = valueAt(document, whole) !== undefined
  const [first, second] = places
  return (
    <section className="sheet pad fields" aria-labelledby={heading}>
      <h2 id={heading}>{`${CHANNEL_LABELS[channel]} for “${getTitle(place)}”`}</h2>
      {first && second && <TextInput label="Subject" maxLength={200} {...propsOf(first)} />}
      <Textarea
        label="Text"
        rows={channel === 'email' ? 10 : 4}
        maxLength={MAX_LENGTHS[channel]}
        {...propsOf(second ?? place)}
      />
      <div>
        <p className="dim">Insert:</p>
        <div className="row-of-buttons tight">
          {listPlaceholders(active).map((one) => (
            <button
              key={one}
              type="button"
              className="b s"
              title={PLACEHOLDERS[one].meaning}
              onClick={() => insert(one)}
            >
              {one.replace('_', ' ')}
            </button>
          ))}
        </div>
      </div>
      {own(second ?? place) !== undefined && lacksLink(read(second ?? place), second ?? place) && (
        <p className="warn">
          This text has no link, so customers can’t open their {name === 'link' ? 'booking' : 'tracking'} page
          from the message.
        </p>
      )}
      <Preview document={document} place={place} language={language} />
      <div className="row-of-buttons">
        {channel !== 'tracking_page' && (
          <button type="button" className="b" onClick={() => setTesting(true)}>
            Send a test
          </button>
        )}
        {isOwn && (
          <button type="button" className="b" onClick={() => set(whole, undefined)}>
            Reset to our wording
          </button>
        )}
      </div>
      {testing && place.channel !== 'tracking_page' && (
        <TestMessage
          kind={place.channel}
          name={place.name}
          subject={second && first ? read(first) : null}
          text={read(second ?? place)}
          close={() => setTesting(false)}
        />
      )}
    </section>
  )
}

const LIST = new Intl.ListFormat('en-AU')
const CHANNEL_LABELS = { sms: 'SMS', email: 'Email', tracking_page: 'Tracking page' } as const
const MAX_LENGTHS = { sms: 480, email: 4_000, tracking_page: 200 } as const

function listMistakes(text: string, place: TextPlace): string[] {
  if (text.trim() === '') return ['Write something, or reset to our wording.']
  return listTemplateMistakes(text, place).map(
    (mistake) => toIssue({ path: [], kind: 'invalid_value', ...mistake }).message,
  )
}

/** What Ada reads: the same function as for real messages, with the shop’s own names. */
function Preview({ document, place, language }: EditorProps & { document: Json }) {
  const texts = (valueAt(document, ['message_texts', language]) ?? {}) as Json
  const values = toValues(document)
  if (place.channel === 'tracking_page') {
    const own = { trackingPage: (texts.tracking_page ?? {}) as Record<string, string> }
    return (
      <Shown>
        <p className="message-preview">{renderSentence(place.name, own, values)}</p>
      </Shown>
    )
  }
  const own = {
    sms: (texts.sms ?? {}) as Record<string, string>,
    email: (texts.email ?? {}) as Record<string, { subject?: string; body?: string }>,
  }
  const { subject, body } = renderMessage(place.channel, place.name, own, values)
  return (
    <Shown>
      <p className="message-preview">
        {subject && <b>{subject}</b>}
        {subject && '\n\n'}
        {body}
      </p>
      {place.channel === 'sms' && <Length text={body} />}
    </Shown>
  )
}

function Shown({ children }: { children: ReactNode }) {
  return (
    <section aria-label="Preview">
      <h3>What a customer sees</h3>
      {children}
    </section>
  )
}

function Length({ text }: { text: string }) {
  const { units, room, parts, foreign } = countSmsParts(text)
  return (
    <>
      <p className="dim">
        {`${units} of ${room} characters, sent as ${count(parts, 'SMS message')}.`}
        {parts > 1 && ' Your SMS provider charges for each message.'}
      </p>
      {foreign.length > 0 && (
        <p className="warn">
          {`${LIST.format(foreign.map((one) => `“${one}”`))} ${foreign.length === 1 ? 'is' : 'are'} not in the SMS alphabet. Without ${foreign.length === 1 ? 'it' : 'them'}, an SMS holds 160 characters instead of 70.`}
        </p>
      )}
    </>
  )
}

function toValues(document: Json): Values {
  const name = (list: unknown) => (list as readonly { name?: string }[] | undefined)?.[0]?.name
  return {
    ...EXAMPLE_VALUES,
    brand: name(document.brands) ?? EXAMPLE_VALUES.brand,
    store: name(document.stores) ?? EXAMPLE_VALUES.store,
    link: `${location.origin}/track/${'x'.repeat(48)}`,
  } as Values
}

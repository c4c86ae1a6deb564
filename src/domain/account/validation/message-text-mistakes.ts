import {
  CHANNEL_NAMES,
  MESSAGE_TEMPLATES,
  type Placeholder,
  type TextChannel,
  TRACKING_TEMPLATES,
} from '../../messages/message-templates.ts'
import { hasLink, listTemplateMistakes, needsLink } from '../../messages/template-mistakes.ts'
import { MESSAGE_TEXTS, type MessageTextName, TRACKING_TEXTS, type TrackingTextName } from '../../values.ts'
import type { Path } from '../document/schema-at.ts'
import { entries, field, textField } from './loose.ts'
import { type AccountMistake, type MistakesInSteps, pathText } from './mistake.ts'

type OwnText = {
  path: Path
  channel: TextChannel
  name: MessageTextName | TrackingTextName
  text: string
  placeholders: readonly Placeholder[]
  /** Customers need its link. */
  linked: boolean
}

/** Placeholders that are unknown or missing, and languages without all texts. Reads documents of any shape. */
export function* messageTextMistakes(document: unknown): MistakesInSteps {
  for (const { path, text, placeholders, name, linked } of listTexts(document)) {
    yield
    for (const found of listTemplateMistakes(text, placeholders))
      yield { path, kind: 'invalid_value', ...found }
    if (linked && name === 'link' && !hasLink(text)) {
      yield {
        path,
        kind: 'required',
        wrong: '{{link}} is missing: the customer could not open the booking link',
        remedy: 'Add {{link}}',
      }
    }
  }
  for (const { value, path } of entries(document, 'brands')) {
    const language = textField(value, 'language')
    if (language !== undefined && language !== 'en') yield* languageMistakes(document, language, path)
  }
}

/** Texts that customers get without the link that ours has. */
export function messageTextWarnings(document: unknown): { field: string; message: string }[] {
  return listTexts(document).flatMap(({ path, channel, name, text, linked }) =>
    linked && name !== 'link' && !hasLink(text)
      ? [
          {
            field: pathText(path),
            message: `The ${CHANNEL_NAMES[channel]} for “${toTitle(name)}” has no {{link}}, so customers cannot open their tracking page from it.`,
          },
        ]
      : [],
  )
}

/** A message in two languages would be worse than none: a language is complete, or not used. */
function* languageMistakes(document: unknown, language: string, brand: Path): Generator<AccountMistake> {
  const known = listTexts(document).filter(({ path }) => path[1] === language)
  const has = new Set(known.map(({ path }) => path.slice(2).join('.')))
  const missing = [
    ...MESSAGE_TEXTS.flatMap((name) => [`sms.${name}`, `email.${name}.subject`, `email.${name}.body`]),
    ...TRACKING_TEXTS.map((name) => `tracking_page.${name}`),
  ].filter((place) => !has.has(place))
  if (missing.length === 0) return
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : ''
  yield {
    path: [...brand, 'language'],
    kind: 'required',
    wrong: `message_texts.${language} has no ${missing.slice(0, 3).join(', ')}${more}`,
    remedy: 'Write every text in this language, or use "en"',
  }
}

function listTexts(document: unknown): OwnText[] {
  const languages = field(document, 'message_texts')
  return names(languages).flatMap((language) => {
    const texts = field(languages, language)
    const at = (...steps: string[]): Path => ['message_texts', language, ...steps]
    const messages = MESSAGE_TEXTS.flatMap((name): OwnText[] => {
      const { placeholders } = MESSAGE_TEMPLATES[name]
      const linked = needsLink(name)
      const email = field(field(texts, 'email'), name)
      return [
        ...found('sms', name, at('sms', name), textField(field(texts, 'sms'), name), placeholders, linked),
        ...found('email', name, at('email', name, 'subject'), textField(email, 'subject'), placeholders, false),
        ...found('email', name, at('email', name, 'body'), textField(email, 'body'), placeholders, linked),
      ].map((one) =>
        // An address in a subject cannot be opened, and it would be stored with its secret.
        one.path.at(-1) === 'subject'
          ? { ...one, placeholders: placeholders.filter((known) => known !== 'link') }
          : one,
      )
    })
    const sentences = TRACKING_TEXTS.flatMap((name) => {
      const text = textField(field(texts, 'tracking_page'), name)
      const { placeholders } = TRACKING_TEMPLATES[name]
      return found('tracking_page', name, at('tracking_page', name), text, placeholders, false)
    })
    return [...messages, ...sentences]
  })
}

function found(
  channel: TextChannel,
  name: OwnText['name'],
  path: Path,
  text: string | undefined,
  placeholders: readonly Placeholder[],
  linked: boolean,
): OwnText[] {
  return text === undefined ? [] : [{ path, channel, name, text, placeholders, linked }]
}

function names(value: unknown): string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []
}

function toTitle(name: OwnText['name']): string {
  return (name in MESSAGE_TEMPLATES ? MESSAGE_TEMPLATES[name as MessageTextName] : TRACKING_TEMPLATES[name as TrackingTextName]).title
}

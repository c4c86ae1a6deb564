import { CHANNEL_NAMES, getTitle, type TextPlace } from '../../messages/message-templates.ts'
import { lacksLink, listTemplateMistakes } from '../../messages/template-mistakes.ts'
import { MESSAGE_TEXTS, TRACKING_TEXTS } from '../../values.ts'
import type { Path } from '../document/schema-at.ts'
import { entries, field, textField } from './loose.ts'
import { type AccountMistake, type MistakesInSteps, pathText, valueAt } from './mistake.ts'

const PLACES: readonly TextPlace[] = [
  ...MESSAGE_TEXTS.flatMap((name): TextPlace[] => [
    { channel: 'sms', name, part: null },
    { channel: 'email', name, part: 'subject' },
    { channel: 'email', name, part: 'body' },
  ]),
  ...TRACKING_TEXTS.map((name): TextPlace => ({ channel: 'tracking_page', name, part: null })),
]

/** Placeholders that are unknown or missing, and languages without all texts. Reads documents of any shape. */
export function* messageTextMistakes(document: unknown): MistakesInSteps {
  for (const { path, text, place } of listTexts(document)) {
    for (const found of listTemplateMistakes(text, place)) yield { path, kind: 'invalid_value', ...found }
    if (place.name !== 'link' || !lacksLink(text, place)) continue
    yield {
      path,
      kind: 'required',
      wrong: '{{link}} is missing, so customers can’t open their booking page from this text',
      remedy: 'Add {{link}} to the text',
    }
  }
  yield
  for (const { value, path } of entries(document, 'brands')) {
    const language = textField(value, 'language')
    if (language !== undefined && language !== 'en') yield* languageMistakes(document, language, path)
  }
}

/** Texts that have no link although ours have one. */
export function messageTextWarnings(document: unknown): { field: string; message: string }[] {
  return listTexts(document)
    .filter(({ text, place }) => place.name !== 'link' && lacksLink(text, place))
    .map(({ path, place }) => ({
      field: pathText(path),
      message: `The ${CHANNEL_NAMES[place.channel]} for “${getTitle(place)}” has no {{link}}, so customers can’t open their tracking page from it.`,
    }))
}

/** A customer would get messages in two languages: a language has all texts, or no brand uses it. */
function* languageMistakes(document: unknown, language: string, brand: Path): Generator<AccountMistake> {
  const missing = PLACES.map((place) => toPath(language, place)).filter(
    (path) => typeof valueAt(document, path) !== 'string',
  )
  if (missing.length === 0) return
  const some = missing.slice(0, 3).map(pathText).join(', ')
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : ''
  yield {
    path: [...brand, 'language'],
    kind: 'required',
    wrong: `some messages in this language have no wording: ${some}${more}`,
    remedy: 'Write these messages, or set the language to "en"',
  }
}

function listTexts(document: unknown): { path: Path; text: string; place: TextPlace }[] {
  const languages = field(document, 'message_texts')
  if (typeof languages !== 'object' || languages === null || Array.isArray(languages)) return []
  return Object.keys(languages).flatMap((language) =>
    PLACES.flatMap((place) => {
      const path = toPath(language, place)
      const text = valueAt(document, path)
      return typeof text === 'string' ? [{ path, text, place }] : []
    }),
  )
}

function toPath(language: string, { channel, name, part }: TextPlace): Path {
  return ['message_texts', language, channel, name, ...(part === null ? [] : [part])]
}

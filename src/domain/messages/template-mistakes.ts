import { didYouMean } from '../text/nearest.ts'
import { MESSAGE_TEMPLATES, PLACEHOLDER, type Placeholder } from './message-templates.ts'

export type TemplateMistake = { wrong: string; remedy: string }

/** Every placeholder that the text may not have, and braces that are not a placeholder. */
export function listTemplateMistakes(text: string, allowed: readonly Placeholder[]): TemplateMistake[] {
  const names = [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name))]
  const unknown = names
    .filter((name) => !allowed.some((known) => known === name))
    .map((name) => ({
      wrong: `{{${name}}} is not a placeholder of this text`,
      remedy: didYouMean(name, allowed).trim() || `Use ${allowed.map((known) => `{{${known}}}`).join(', ')}`,
    }))
  return /[{}]/.test(text.replace(PLACEHOLDER, ''))
    ? [
        ...unknown,
        { wrong: 'it has a brace that is not part of a placeholder', remedy: 'Write placeholders as {{order}}' },
      ]
    : unknown
}

/** Whether the text has the link. Without it, customers cannot track the delivery or use the booking link. */
export function hasLink(text: string): boolean {
  return [...text.matchAll(PLACEHOLDER)].some(([, name]) => name === 'link')
}

/** Whether our own text of this kind has the link. */
export function needsLink(name: keyof typeof MESSAGE_TEMPLATES): boolean {
  return hasLink(MESSAGE_TEMPLATES[name].sms)
}

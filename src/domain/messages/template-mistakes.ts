import { didYouMean } from '../text/nearest.ts'
import { getOurText, listPlaceholders, PLACEHOLDER, type TextPlace } from './message-templates.ts'

export type TemplateMistake = { wrong: string; remedy: string }

/** Every placeholder that the text may not have, and braces that are not a placeholder. */
export function listTemplateMistakes(text: string, place: TextPlace): TemplateMistake[] {
  const allowed = listPlaceholders(place)
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
        {
          wrong: 'it has a brace that is not part of a placeholder',
          remedy: 'Write placeholders as {{order}}',
        },
      ]
    : unknown
}

/** Whether our text has the link and this one does not, so that customers could not open their page from it. */
export function lacksLink(text: string, place: TextPlace): boolean {
  return hasLink(getOurText(place)) && !hasLink(text)
}

function hasLink(text: string): boolean {
  return [...text.matchAll(PLACEHOLDER)].some(([, name]) => name === 'link')
}

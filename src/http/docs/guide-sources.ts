import { readdirSync, readFileSync } from 'node:fs'

export type GuideSource = { name: string; markdown: string }

const FOLDER = new URL('../../../docs/guides/', import.meta.url)
const LINK_OR_CODE = /```[\s\S]*?\n```|`[^`\n]*`|!?\[((?:`[^`]*`|[^\]`])+)\]\(([^)\s]+)\)/g

/** The guides of `docs/guides` as they are written. */
export function readGuideSources(): GuideSource[] {
  const names = readdirSync(FOLDER).flatMap((file) => /^([a-z-]+)\.md$/.exec(file)?.[1] ?? [])
  return names.map((name) => ({ name, markdown: readFileSync(new URL(`${name}.md`, FOLDER), 'utf8') }))
}

/** A picture of a guide as a data URL, so that the page needs no other request; null if it is not one of ours. */
export function readPicture(href: string): string | null {
  if (!/^pictures\/[a-z-]+\.webp$/.test(href)) return null
  return `data:image/webp;base64,${readFileSync(new URL(href, FOLDER)).toString('base64')}`
}

/** A guide's Markdown as we serve it: a picture, and a link to a file that only the repository has, are plain text. */
export function toServedMarkdown(markdown: string): string {
  return markdown.replace(LINK_OR_CODE, (found, text?: string, href = '') =>
    text === undefined || toAddress(href) !== null ? found : text,
  )
}

/** The text of a guide's first heading. */
export function toTitle(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? ''
}

/** The first sentence after the heading, in one line and without links. */
export function toFirstSentence(markdown: string): string {
  const [, paragraph = ''] = markdown.split(/\n\n+/)
  const plain = paragraph.replace(LINK_OR_CODE, (found, text?: string) => text ?? found)
  return (/^.*?\.(?=\s|$)/s.exec(plain)?.[0] ?? plain).replaceAll('\n', ' ')
}

/** A link's address on our pages; null for files that only the repository has. */
export function toAddress(href: string): string | null {
  if (/^https:\/\//.test(href) || href.startsWith('#')) return href
  const [, name, anchor = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? []
  return name === undefined ? null : `/docs/guides/${name}${anchor}`
}

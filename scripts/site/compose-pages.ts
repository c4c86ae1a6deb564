import { dirname, join, relative } from 'node:path/posix'
import { NOT_SEARCHED, toSlug } from './site-pages.ts'

export type SitePage = { slug: string; text: string }
type Sources = {
  /** Markdown by its path in the repository: the site's pages and the README, from which pages include sections. */
  texts: ReadonlyMap<string, string>
  /** Whether the repository has this file or folder. */
  exists: (path: string) => boolean
  /** Where the repository can be read, such as `https://example.com/drover/blob/main`; null where nowhere. */
  repositoryUrl: string | null
}

/** The line by which a page takes over a section of the README, so that no command is written twice. */
const INCLUDE = /^<!-- README: (.+) -->$/gm
const README = 'README.md'
/** From `site/src/content/docs/`, where the pages are written, to the root of the repository. */
const REPOSITORY = '../../../..'

/**
 * The site's pages, made from the repository's Markdown: links between pages lead to pages, other links to the
 * repository. Throws with every link, picture and section that does not exist.
 */
export function composePages({ texts, exists, repositoryUrl }: Sources): SitePage[] {
  const files = [...texts.keys()].filter((file) => file !== README)
  const wrong: string[] = []
  const sectionPages = new Map(
    files.flatMap((file) =>
      [...(texts.get(file) ?? '').matchAll(INCLUDE)].map(
        ([, title = '']) => [toAnchor(title), file] as const,
      ),
    ),
  )
  const pages = files.map((file) => {
    const source = texts.get(file) ?? ''
    const title = /^# (.+)\n/m.exec(source)?.[1]
    if (!title) wrong.push(`${file} has no title`)
    const body = relink(source.replace(/^# .+\n/m, ''), file, file).replaceAll(INCLUDE, (_, name: string) =>
      relink(readSection(name, file), README, file),
    )
    const front = [
      '---',
      `title: ${JSON.stringify(withoutMarks(title ?? ''))}`,
      `description: ${JSON.stringify(toSummary(source))}`,
      ...(NOT_SEARCHED.test(file) ? ['pagefind: false'] : []),
      '---',
    ]
    return { slug: toSlug(file), text: `${front.join('\n')}\n${body}` }
  })
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  return pages

  function readSection(name: string, file: string): string {
    const lines = (texts.get(README) ?? '').split('\n')
    const from = lines.indexOf(`## ${name}`)
    if (from < 0) {
      wrong.push(`${file} includes the section ${name}, which the README does not have`)
      return ''
    }
    const length = lines.slice(from + 1).findIndex((line) => line.startsWith('## '))
    return lines
      .slice(from, length < 0 ? undefined : from + 1 + length)
      .join('\n')
      .trim()
  }

  /** `base` is the file that the links are written in, `file` the one whose page they end up on. */
  function relink(text: string, base: string, file: string): string {
    return text.replaceAll(CODE_OR_LINK, (all, mark?: string, words = '', target = '') => {
      if (mark === undefined || /^[a-z]+:/.test(target)) return all
      const [path = '', anchor] = target.split('#')
      const to = path === '' ? base : join(dirname(base), path).replace(/\/$/, '')
      if (!exists(to)) {
        wrong.push(`${base} links to ${target}, which does not exist`)
        return all
      }
      if (mark === '!') return `![${words}](${join(toContentRoot(file), REPOSITORY, to)})`
      const page = findPage(to, anchor)
      if (page) return `[${words}](${linkTo(page, anchor, file)})`
      if (repositoryUrl) return `[${words}](${repositoryUrl}/${to})`
      return words.includes(to.split('/').pop()) ? words : `${words} (\`${to}\`)`
    })
  }

  /** The file whose page has this one's text, or this section of the README's. */
  function findPage(to: string, anchor: string | undefined): string | null {
    if (to === README) return sectionPages.get(anchor ?? '') ?? 'site/pages/index.md'
    return [to, `${to}/README.md`].find((one) => texts.has(one)) ?? null
  }
}

/** Relative, so that the site works at any address. */
function linkTo(page: string, anchor: string | undefined, from: string): string {
  const hash = anchor ? `#${anchor}` : ''
  if (page === from && hash) return hash
  const way = relative(toAddress(from), toAddress(page))
  return `${way === '' ? '.' : way}/${hash}`
}

function toAddress(file: string): string {
  return join('/', toSlug(file).replace(/^index$/, ''))
}

/** From the folder of a page's file to the folder of all pages. */
function toContentRoot(file: string): string {
  return relative(dirname(toSlug(file)), '.') || '.'
}

/** Blocks and spans of code, which stay as they are, and links and pictures. */
const CODE_OR_LINK =
  /^```[\s\S]*?^```|(!?)\[((?:[^[\]`]|`[^`\n]*`)*)\]\(<?([^)\s>]+)>?(?:\s"[^"]*")?\)|`[^`\n]*`/gm

function toAnchor(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-')
}

/** The first paragraph, for search engines. */
function toSummary(source: string): string {
  const paragraph = source.split(/\n{2,}/).find((part) => /^[A-Z@`[*]/.test(part)) ?? ''
  return withoutMarks(paragraph.replaceAll('\n', ' ')).slice(0, 200)
}

function withoutMarks(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
}

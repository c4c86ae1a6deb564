import { dirname, join, normalize } from 'node:path'

export type Page = { path: string; text: string }

/** A block of TypeScript in a guide. Its first line names the file that it is: `// src/carriers/adapters/…`. */
export type GuideFile = { page: string; line: number; path: string; text: string }

/**
 * Mistakes in the documents, one sentence each: links to missing files and headings, names of missing files, and
 * TypeScript blocks that name no file.
 */
export function lintMarkdown(pages: readonly Page[], exists: (path: string) => boolean): string[] {
  const headings = new Map(pages.map(({ path, text }) => [path, anchorsOf(text)]))
  return pages.flatMap((page) => [
    ...brokenLinks(page, headings, exists),
    ...missingFiles(page, exists),
    ...blocksOf(page).flatMap(({ line, path }) =>
      path
        ? []
        : [`${page.path}:${line} has TypeScript whose first line does not name its file, as \`// src/….ts\``],
    ),
  ])
}

/** The TypeScript blocks of the pages, to be compiled with the sources. */
export function guideFiles(pages: readonly Page[]): GuideFile[] {
  return pages.flatMap((page) =>
    blocksOf(page).flatMap(({ line, path, text }) => (path ? [{ page: page.path, line, path, text }] : [])),
  )
}

function blocksOf({ text }: Page): { line: number; path: string | null; text: string }[] {
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((found) => {
    const [, code = ''] = found
    const path = /^\/\/ ([\w./-]+\.ts)\n/.exec(code)?.[1] ?? null
    return { line: text.slice(0, found.index).split('\n').length, path, text: code }
  })
}

const LINK = /\]\(<?([^)\s>]+)>?(?:\s"[^"]*")?\)/g

function brokenLinks(
  { path, text }: Page,
  headings: ReadonlyMap<string, ReadonlySet<string>>,
  exists: (path: string) => boolean,
): string[] {
  return [...withoutCode(text).matchAll(LINK)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return []
    const [file = '', anchor] = target.split('#')
    const to = file === '' ? path : normalize(join(dirname(path), file)).replaceAll('\\', '/')
    if (!exists(to)) return [`${path} links to ${target}, which does not exist.`]
    const known = headings.get(to)
    if (anchor === undefined || !known || known.has(anchor)) return []
    return [`${path} links to ${target}: ${to} has no such heading.`]
  })
}

/**
 * Paths from the root, or relative to the page, in backticks. Patterns and examples with a placeholder do not count.
 */
function missingFiles({ path, text }: Page, exists: (path: string) => boolean): string[] {
  const named = [
    ...withoutBlocks(text).matchAll(
      /`((?:src|web|test|scripts|bench|docs|deploy|examples|migrations)\/[\w./-]+)`/g,
    ),
  ]
  return [...new Set(named.map(([, name = '']) => name))]
    .filter((name) => !exists(name) && !exists(normalize(join(dirname(path), name))))
    .map((name) => `${path} names ${name}, which does not exist.`)
}

/** GitHub's anchors of headings. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = plain.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
    let numbered = anchor
    for (let number = 1; anchors.has(numbered); number++) numbered = `${anchor}-${number}`
    anchors.add(numbered)
  }
  return anchors
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '')
}

function withoutCode(text: string): string {
  return withoutBlocks(text).replaceAll(/`[^`\n]*`/g, '')
}

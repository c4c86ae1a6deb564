import { Marked, type Tokens } from 'marked'
import { readGuideSources, readPicture, toAddress } from './guide-sources.ts'
import { type Html, html } from './html.ts'

/** A guide as a page: its first heading, its sections, and the rest as HTML. */
export type Guide = {
  name: string
  title: string
  sections: readonly { id: string; title: string }[]
  body: Html
}

/** The guides of `docs/guides`, by title. */
export function readGuides(): Guide[] {
  return readGuideSources()
    .map(({ name, markdown }) => toGuide(name, markdown))
    .sort((a, b) => a.title.localeCompare(b.title, 'en-AU'))
}

/** A guide's Markdown as a page. HTML in it is shown as text. */
export function toGuide(name: string, markdown: string): Guide {
  const sections: { id: string; title: string }[] = []
  let title = name
  const marked = new Marked({
    renderer: {
      heading({ depth, tokens, text }) {
        const inner = this.parser.parseInline(tokens)
        const plain = text.replaceAll('`', '')
        if (depth === 1) {
          title = plain
          return ''
        }
        const id = toAnchor(plain)
        if (depth === 2) sections.push({ id, title: plain })
        return html`<h${depth} id="${id}"><a href="#${id}">${{ html: inner }}</a></h${depth}>\n`.html
      },
      link({ href, tokens }) {
        const inner = { html: this.parser.parseInline(tokens) }
        const address = toAddress(href)
        return address === null
          ? html`<span>${inner}</span>`.html
          : html`<a href="${address}">${inner}</a>`.html
      },
      image({ href, text }) {
        const url = readPicture(href)
        return url === null ? html`<span>${text}</span>`.html : html`<img src="${url}" alt="${text}">`.html
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => html`${text}`.html,
      table(table) {
        const cell = ({ tokens }: Tokens.TableCell) => ({ html: this.parser.parseInline(tokens) })
        const head = table.header.map((one) => html`<th>${cell(one)}</th>`)
        const rows = table.rows.map((row) => html`<tr>${row.map((one) => html`<td>${cell(one)}</td>`)}</tr>`)
        return html`<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>\n`
          .html
      },
      code: ({ text }) => html`<pre tabindex="0"><code>${text}</code></pre>\n`.html,
    },
  })
  const body = { html: marked.parse(markdown, { async: false }) }
  return { name, title, sections, body }
}

/** The anchor of a heading, as hosts of repositories make it. */
function toAnchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

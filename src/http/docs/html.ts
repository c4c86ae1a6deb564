/** Text that is already HTML. All other text is escaped when it is inserted. */
export type Html = { html: string }

/** Template tag, html`<p>${anything}</p>`: escapes values that are not HTML; joins lists; omits null and false. */
export function html(strings: TemplateStringsArray, ...values: unknown[]): Html {
  let text = strings[0] as string
  values.forEach((value, index) => {
    text += toText(value) + (strings[index + 1] as string)
  })
  return { html: text }
}

/** Prose of the document: paragraphs, and `code` between backticks. */
export function prose(text: string): Html {
  const paragraphs = text.split(/\n\n+/).map((paragraph) => `<p>${inline(paragraph)}</p>`)
  return { html: paragraphs.join('') }
}

/** One paragraph of prose, without the `<p>`. */
export function phrase(text: string): Html {
  return { html: inline(text) }
}

function inline(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function toText(value: unknown): string {
  if (value === null || value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map(toText).join('')
  if (typeof value === 'object' && 'html' in value) return String(value.html)
  return escaped(String(value))
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

import type { JsonSchema } from '../openapi/components.ts'
import { describeType, type Field, listFields, type TypePart } from './fields.ts'
import { type Html, html, phrase } from './html.ts'

/** A schema as rows of fields; named schemas link to their own section. */
export function schemaTable(schema: JsonSchema): Html {
  const fields = listFields(schema)
  if (fields.length === 0) return html`<p class="type">${renderType(schema)}</p>`
  return html`<div class="scroll"><table class="fields"><thead><tr><th>Field</th><th>Type</th><th>Rules</th></tr></thead><tbody>${fields.map(fieldRow)}</tbody></table></div>`
}

/** A type in one line: `string`, `list of Parcel`, `fast flexible`. */
export function renderType(schema: JsonSchema): Html {
  return html`${describeType(schema).map(renderPart)}`
}

function renderPart({ kind, text }: TypePart): Html {
  if (kind === 'schema') return html`<a href="#schema-${text}">${text}</a>`
  return kind === 'value' ? html`<code>${text}</code>` : html`${text}`
}

function fieldRow({ path, isRequired, type, description, limits }: Field): Html {
  return html`<tr><td><code>${path}</code>${isRequired && html` <b class="must" title="required">required</b>`}</td><td>${type.map(renderPart)}</td><td>${description !== null && html`${phrase(description)} `}${limits.length > 0 && html`<span class="dim">${limits.join('; ')}</span>`}</td></tr>`
}

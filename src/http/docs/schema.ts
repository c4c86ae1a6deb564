import type { JsonSchema } from '../openapi/components.ts'
import { type Html, html, phrase } from './html.ts'

/** A schema as rows of fields; named schemas link to their own section. */
export function schemaTable(schema: JsonSchema): Html {
  const rows = renderRows(schema, '')
  if (rows.length === 0) return html`<p class="type">${renderType(schema)}</p>`
  return html`<div class="scroll"><table class="fields"><thead><tr><th>Field</th><th>Type</th><th>Rules</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

/** A type in one line: `string`, `list of Parcel`, `fast | flexible`. */
export function renderType(schema: JsonSchema): Html {
  const { $ref, type, items, enum: values, anyOf, oneOf } = schema
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1)
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (Array.isArray(values))
    return html`${values.map((value, i) => html`${i > 0 && ' '}<code>${value ?? 'null'}</code>`)}`
  const choices = (anyOf ?? oneOf) as JsonSchema[] | undefined
  if (choices) return html`${choices.map((choice, i) => html`${i > 0 && ' or '}${renderType(choice)}`)}`
  if (type === 'array') return html`list of ${renderType((items ?? {}) as JsonSchema)}`
  if (type === 'integer') return html`whole number`
  if (type === undefined) return html`anything`
  return html`${Array.isArray(type) ? type.join(' or ') : type}`
}

function renderRows(schema: JsonSchema, prefix: string): Html[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  const required = new Set((schema.required ?? []) as string[])
  return Object.entries(properties).flatMap(([name, field]) => {
    const inner = findInner(field)
    const path = `${prefix}${name}`
    const row = html`<tr><td><code>${path}</code>${required.has(name) && html` <b class="must" title="required">required</b>`}</td><td>${renderType(field)}</td><td>${renderRules(field)}</td></tr>`
    return [row, ...(inner ? renderRows(inner.schema, `${path}${inner.mark}.`) : [])]
  })
}

/** Anonymous objects are shown inline. */
function findInner(field: JsonSchema): { schema: JsonSchema; mark: string } | null {
  if (field.properties) return { schema: field, mark: '' }
  const items = field.items as JsonSchema | undefined
  return items?.properties ? { schema: items, mark: '[]' } : null
}

function renderRules(schema: JsonSchema): Html {
  const { description, minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems } = schema
  const limits = [
    typeof exclusiveMinimum === 'number' && `over ${exclusiveMinimum}`,
    typeof minimum === 'number' && `from ${minimum}`,
    typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER && `at most ${maximum}`,
    typeof minLength === 'number' && minLength > 1 && `at least ${minLength} characters`,
    typeof maxLength === 'number' && `at most ${maxLength} characters`,
    typeof minItems === 'number' && `at least ${minItems}`,
    typeof maxItems === 'number' && `at most ${maxItems}`,
    typeof schema['x-rule'] === 'string' && schema['x-rule'],
  ].filter((limit): limit is string => typeof limit === 'string')
  return html`${typeof description === 'string' && html`${phrase(description)} `}${limits.length > 0 && html`<span class="dim">${limits.join('; ')}</span>`}`
}

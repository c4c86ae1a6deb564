import type { JsonSchema } from '../openapi/components.ts'
import { curlOf } from './curl.ts'
import { type Html, html, phrase, prose } from './html.ts'
import { schemaTable, typeOf } from './schema.ts'

export type Operation = JsonSchema & {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters: (JsonSchema & { name: string; in: string; required: boolean; schema: JsonSchema })[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example?: unknown }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>
}

/** One operation of the page: what it does, what it takes, what it answers, and a line to paste. */
export function operationSection(
  method: string,
  path: string,
  operation: Operation,
  publicUrl: string,
): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  return html`<section class="op sheet" id="${operationId}" data-find="${`${method} ${path} ${summary}`.toLowerCase()}">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="line"><span class="verb ${method}">${method.toUpperCase()}</span> <code class="path">${path.split('/').map((step, i) => html`${i > 0 && html`/<wbr>`}${step}`)}</code></p>
${description && prose(description)}
<p class="dim">${accessOf(operation)}</p>
${parameters.length > 0 && html`<h4>Parameters</h4>${parameterTable(parameters)}`}
${
  requestBody &&
  html`<h4>Body${!requestBody.required && html` <span class="dim">(may be left out)</span>`}</h4>${Object.entries(
    requestBody.content,
  )
    .slice(0, 1)
    .map(([, { schema }]) => schemaTable(schema))}`
}
<h4>Try it</h4><div class="curl"><button type="button" class="b s" data-copy>Copy</button><pre tabindex="0"><code>${curlOf(method, path, operation, publicUrl)}</code></pre></div>
<h4>Answers</h4><div class="scroll"><table class="fields"><tbody>${Object.entries(responses).map(([status, answer]) => answerRow(status, answer))}</tbody></table></div>
</section>`
}

function accessOf({ security }: Operation): Html {
  if (security.length === 0) return html`Open to anybody.`
  const ways = security.map((way) => {
    const [scheme, scopes = []] = Object.entries(way)[0] ?? ['']
    if (scheme === 'operator') return html`the token of the operator`
    if (scheme === 'signature') return html`a signed address`
    return html`a bearer with the scope <code>${scopes[0]}</code>`
  })
  return html`Needs ${ways.map((way, i) => html`${i > 0 && ', or '}${way}`)}.`
}

function parameterTable(parameters: Operation['parameters']): Html {
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      html`<tr><td><code>${name}</code>${required && html` <b class="must">required</b>`}</td><td>${place}, ${typeOf(schema)}</td><td>${typeof description === 'string' && phrase(description)}</td></tr>`,
  )
  return html`<div class="scroll"><table class="fields"><tbody>${rows}</tbody></table></div>`
}

function answerRow(status: string, { description, content = {} }: Operation['responses'][string]): Html {
  const shapes = Object.entries(content).map(
    ([media, { schema }], i) => html`${i > 0 && ' or '}${media.includes('json') ? typeOf(schema) : media}`,
  )
  return html`<tr><td><b class="num s${status[0]}">${status}</b></td><td>${phrase(description)}</td><td>${shapes}</td></tr>`
}

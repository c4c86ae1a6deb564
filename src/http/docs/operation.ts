import type { Endpoint } from '../contract/endpoint.ts'
import { toCurl } from '../examples/curl.ts'
import { describeResponse, type ResponseExample, toJsonText } from '../examples/response-examples.ts'
import type { JsonSchema } from '../openapi/components.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { describeAccess } from './access.ts'
import type { ClientCall } from './client-call.ts'
import { type Html, html, phrase, prose } from './html.ts'
import { renderType, schemaTable } from './schema.ts'

export type Operation = JsonSchema & {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters: (JsonSchema & { name: string; in: string; required: boolean; schema: JsonSchema })[]
  requestBody?: {
    description: string
    required: boolean
    content: Record<string, { schema: JsonSchema; example?: unknown }>
  }
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>
}

export type ListedOperation = { method: string; path: string; operation: Operation }

/** Every operation in the order of the document. */
export function listOperations(document: OpenApiDocument): ListedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method,
      path,
      operation: operation as Operation,
    })),
  )
}

/** Longer responses are closed at first. */
const MAX_OPEN_LINES = 15

/** One operation of the page: its purpose, its input, a command to paste with its response, and its responses. */
export function operationSection(
  { method, path, operation }: ListedOperation,
  endpoint: Endpoint,
  call: ClientCall | undefined,
  recorded: ResponseExample | undefined,
): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  return html`<section class="op sheet" id="${operationId}" data-find="${`${method} ${path} ${summary}`.toLowerCase()}">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="line"><span class="verb ${method}">${method.toUpperCase()}</span> <code class="path">${path.split('/').map((step, i) => html`${i > 0 && html`/<wbr>`}${step}`)}</code></p>
${description && prose(description)}
<p class="dim">${phrase(describeAccess(endpoint, operation))}</p>
${parameters.length > 0 && html`<h4>Parameters</h4>${parameterTable(parameters)}`}
${
  requestBody &&
  html`<h4>Body${!requestBody.required && html` <span class="dim">(may be left out)</span>`}</h4>${Object.entries(
    requestBody.content,
  )
    .slice(0, 1)
    .map(([, { schema }]) => schemaTable(schema))}`
}
<h4>Try it</h4>${renderExamples(endpoint, call)}${exampleNote(endpoint)}${recorded && renderRecorded(endpoint, recorded)}
<h4>Answers</h4><div class="scroll"><table class="fields"><tbody>${Object.entries(responses).map(([status, answer]) => answerRow(status, answer))}</tbody></table></div>
</section>`
}

/** The example as curl, TypeScript and Python, one below the other; the page's script makes tabs of them. */
function renderExamples(endpoint: Endpoint, call: ClientCall | undefined): Html {
  const curl = html`<code data-example="${endpoint.operationId}">${toCurl(endpoint)}</code>`
  if (!call) return renderCode(curl)
  return html`<div data-tabs><div data-tab="curl">${renderCode(curl)}</div><div data-tab="TypeScript">${renderCode(html`<code data-client="${call.operationId}">${call.typescript}</code>`)}</div><div data-tab="Python">${renderCode(html`<code data-python="${call.operationId}">${call.python}</code>`)}</div></div>`
}

function renderCode(code: Html): Html {
  return html`<div class="curl"><button type="button" class="b s" data-copy>Copy</button><pre tabindex="0">${code}</pre></div>`
}

function renderRecorded({ operationId }: Endpoint, recorded: ResponseExample): Html {
  const about = phrase(describeResponse(recorded))
  if (recorded.body === undefined) return html`<h4>Its response</h4><p class="dim">${about}</p>`
  const text = toJsonText(recorded.body)
  const code = renderCode(html`<code data-response="${operationId}">${text}</code>`)
  const lines = text.split('\n').length
  return lines > MAX_OPEN_LINES
    ? html`<h4>Its response</h4><details><summary class="dim">${about} ${lines} lines.</summary>${code}</details>`
    : html`<h4>Its response</h4><p class="dim">${about}</p>${code}`
}

/** The status of the example, if it is not the operation's usual one. */
function exampleNote({ exampleCall }: Endpoint): Html | null {
  const status = exampleCall?.status
  return status
    ? html`<p class="dim">In the demo, the response is ${status.code}, because ${phrase(status.because)}.</p>`
    : null
}

function parameterTable(parameters: Operation['parameters']): Html {
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      html`<tr><td><code>${name}</code>${required && html` <b class="must">required</b>`}</td><td>${place}, ${renderType(schema)}</td><td>${typeof description === 'string' && phrase(description)}</td></tr>`,
  )
  return html`<div class="scroll"><table class="fields"><tbody>${rows}</tbody></table></div>`
}

function answerRow(status: string, { description, content = {} }: Operation['responses'][string]): Html {
  const shapes = Object.entries(content).map(
    ([media, { schema }], i) =>
      html`${i > 0 && ' or '}${media.includes('json') ? renderType(schema) : media}`,
  )
  return html`<tr><td><b class="num s${status[0]}">${status}</b></td><td>${phrase(description)}</td><td>${shapes}</td></tr>`
}

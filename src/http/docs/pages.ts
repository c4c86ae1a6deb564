import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Endpoint } from '../contract/endpoint.ts'
import { ERRORS, type ErrorCode, problemType } from '../contract/errors.ts'
import { ABOUT_RESPONSES, readResponseExamples } from '../examples/response-examples.ts'
import { toShellSetUp, VARIABLES } from '../examples/variables.ts'
import type { JsonSchema } from '../openapi/components.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { type ClientCall, listClientCalls, toClientSetUp, toPythonSetUp } from './client-call.ts'
import type { Guide } from './guides.ts'
import { type Html, html, phrase, prose } from './html.ts'
import { listOperations, operationSection } from './operation.ts'
import { schemaTable } from './schema.ts'

/** The start of the reference: the variables of its examples, and the lines that set them. */
function startSection(publicUrl: string, calls: readonly ClientCall[]): Html {
  const exported = calls.flatMap(({ variables }) => variables)
  const rows = VARIABLES.map(
    ({ name, means }) => html`<tr><td><code>$${name}</code></td><td>${means}</td></tr>`,
  )
  return html`<h2 id="start">Begin</h2>${prose(BEGIN)}
<div class="curl"><button type="button" class="b s" data-copy>Copy</button><pre tabindex="0"><code data-variables>${toShellSetUp(publicUrl, exported)}</code></pre></div>
${prose(BEGIN_TYPESCRIPT)}
<div class="curl"><button type="button" class="b s" data-copy>Copy</button><pre tabindex="0"><code data-client-set-up>${toClientSetUp(publicUrl, calls)}</code></pre></div>
${prose(BEGIN_PYTHON)}
<div class="curl"><button type="button" class="b s" data-copy>Copy</button><pre tabindex="0"><code data-python-set-up>${toPythonSetUp(publicUrl, calls)}</code></pre></div>
<div class="scroll"><table class="fields"><thead><tr><th>Variable</th><th>What it is</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

const BEGIN = `Paste these lines into a shell (bash or zsh) once. They fetch a token, create one of each thing that the examples below use, and store its id in a variable. The examples then run as they are, in the order of this page. They use the demo account, whose names and secrets are public. For your own account, set \`BASE\`, \`TOKEN\` and the variables that you need.

${ABOUT_RESPONSES}`

const BEGIN_TYPESCRIPT = `The TypeScript examples use \`@drover/client\`. Put these lines at the top of your program, and run it from the same shell: it reads the variables from the environment.`

const BEGIN_PYTHON = `The Python examples use \`drover-client\` in the same way.`

const STYLE = readFileSync(new URL('./style.css', import.meta.url), 'utf8')
const SCRIPT = readFileSync(new URL('./script.js', import.meta.url), 'utf8')

/** Nothing is loaded from other hosts; the one style and the one script are allowed by their hashes. */
export const DOCS_POLICY = [
  "default-src 'none'",
  `style-src '${toHash(STYLE)}'`,
  `script-src '${toHash(SCRIPT)}'`,
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The whole OpenAPI document on one page, for searching and copying. Decision 43 compares it with libraries. */
export function referencePage(document: OpenApiDocument, endpoints: readonly Endpoint[]): string {
  const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.operationId, endpoint]))
  const publicUrl = document.servers[0]?.url ?? ''
  const operations = listOperations(document)
  const calls = listClientCalls(document, endpoints)
  const responses = readResponseExamples(publicUrl)
  const ofTag = (name: string) => operations.filter(({ operation }) => operation.tags[0] === name)
  // Webhooks have a section of their own.
  const tags = document.tags.filter(({ name }) => ofTag(name).length > 0)
  const schemas = document.components.schemas as Record<string, JsonSchema>

  const nav = html`${tags.map(({ name }) => html`<h2>${name}</h2><ul>${ofTag(name).map(({ method, path, operation }) => html`<li data-find="${`${method} ${path} ${operation.summary}`.toLowerCase()}"><a href="#${operation.operationId}"><span class="verb ${method}">${method.toUpperCase()}</span>${operation.summary}</a></li>`)}</ul>`)}<h2>More</h2><ul><li><a href="#webhooks">Webhooks</a></li><li><a href="#schemas">Schemas</a></li><li><a href="/docs/guides">Guides</a></li><li><a href="/docs/errors">Errors</a></li><li><a href="/openapi.json">openapi.json</a></li><li><a href="/docs.md">As Markdown</a></li></ul>`
  const main = html`<header><h1>API reference</h1>${prose(String(document.info.description))}
${startSection(publicUrl, [...calls.values()])}</header>
${tags.map(({ name, description }) => html`<section class="tag"><h2 id="tag-${name}">${name}</h2><p class="dim">${description}</p>${ofTag(name).map(({ method, path, operation }) => operationSection({ method, path, operation }, endpointOf.get(operation.operationId) as Endpoint, calls.get(operation.operationId), responses.get(operation.operationId)))}</section>`)}
<section class="tag"><h2 id="webhooks">Webhooks</h2><p class="dim">The requests that Drover sends to your endpoints, signed by Standard Webhooks. The body is a <a href="#schema-WebhookMessage">WebhookMessage</a>.</p><div class="scroll"><table class="fields"><tbody>${Object.entries(document.webhooks).map(([type, { post }]) => html`<tr><td><code>${type}</code></td><td>${post.summary}.</td></tr>`)}</tbody></table></div></section>
<section class="tag"><h2 id="schemas">Schemas</h2>${Object.entries(schemas).map(([name, schema]) => html`<section class="op sheet" id="schema-${name}" data-find="${name.toLowerCase()}"><h3><a href="#schema-${name}">${name}</a></h3>${typeof schema.description === 'string' && prose(schema.description)}${schemaTable(schema)}</section>`)}</section>`
  return page(`API reference, Drover ${String(document.info.version)}`, nav, main)
}

/** Every error code with its meaning and remedy. The error page explains a problem's `type`. */
export function errorsPage(): string {
  const entries = Object.entries(ERRORS)
  const nav = html`<h2>Errors</h2><ul>${entries.map(([code, { status }]) => html`<li data-find="${code}"><a href="#${code}"><span class="num">${status}</span> ${code}</a></li>`)}</ul><h2>More</h2><ul><li><a href="/docs">API reference</a></li></ul>`
  const main = html`<header><h1>Errors</h1>${prose('Every error is an `application/problem+json` document (RFC 9457). `code` is stable: programs may switch on it. `type` is `urn:drover:error:` and the code, the same at every installation. This page explains each code. `errors` names every field that is wrong, each with a path, a code and a sentence. Token errors have the form of RFC 6749.')}</header>
${entries.map(([code, entry]) => html`<section class="op sheet" id="${code}" data-find="${code}"><h3><a href="#${code}">${code}</a> <b class="num s${String(entry.status)[0]}">${entry.status}</b></h3><p><b>${entry.title}.</b> ${phrase(entry.meaning)}</p><p class="dim">${phrase(entry.remedy)}</p><p class="dim"><code>${problemType(code as ErrorCode)}</code></p></section>`)}`
  return page('Errors, Drover', nav, main, 'Find an error code')
}

/** The list of the guides. */
export function guidesPage(guides: readonly Guide[]): string {
  const main = html`<header><h1>Guides</h1></header>
<ul class="guides">${guides.map(({ name, title }) => html`<li><a href="/docs/guides/${name}">${title}</a></li>`)}</ul>`
  return page('Guides, Drover', guidesNav(guides, null), main, 'Find a guide')
}

/** One guide. */
export function guidePage(guides: readonly Guide[], guide: Guide): string {
  const main = html`<article class="guide"><h1>${guide.title}</h1>${guide.body}</article>`
  return page(`${guide.title}, Drover`, guidesNav(guides, guide), main, 'Find a guide')
}

function guidesNav(guides: readonly Guide[], current: Guide | null): Html {
  const sections =
    current &&
    html`<h2>On this page</h2><ul>${current.sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`
  const asMarkdown =
    current && html`<li><a href="/docs/guides/${current.name}.md">This guide as Markdown</a></li>`
  return html`${sections}<h2>Guides</h2><ul>${guides.map(({ name, title }) => html`<li data-find="${title.toLowerCase()}"><a href="/docs/guides/${name}"${name === current?.name && { html: ' aria-current="page"' }}>${title}</a></li>`)}</ul><h2>More</h2><ul><li><a href="/docs">API reference</a></li><li><a href="/docs/errors">Errors</a></li>${asMarkdown}</ul>`
}

function page(title: string, nav: Html, main: Html, find = 'Find an operation or schema'): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${{ html: STYLE }}</style></head>
<body><div class="band"><a class="mark" href="/docs">Drover</a><label class="find"><span class="vh">Find</span><input type="search" id="find" placeholder="${find}" autocomplete="off"></label><button type="button" class="b s" id="scheme">Light or dark</button></div>
<div class="body"><nav aria-label="Contents">${nav}</nav><main>${main}<p id="none" hidden>No name here contains that.</p></main></div><script>${{ html: SCRIPT }}</script></body></html>
`.html
}

function toHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { Refusal } from '../../../domain/errors.ts'
import type { HttpDeps } from '../../contract/deps.ts'
import { packedFor, takesEncoding } from '../../contract/encodings.ts'
import {
  type Endpoint,
  type HttpResponse,
  openEndpoint,
  type RequestContext,
} from '../../contract/endpoint.ts'
import { notFound } from '../../contract/problem.ts'
import { readGuideSources, toServedMarkdown } from '../../docs/guide-sources.ts'
import { DOCS_POLICY, errorsPage, guidePage, guidesPage, referencePage } from '../../docs/pages.ts'
import {
  findOperationMarkdown,
  renderErrorsMarkdown,
  renderLlmsText,
  renderReferenceMarkdown,
} from '../../docs/reference-markdown.ts'
import { accountDocument } from '../../openapi/account-document.ts'
import { openApiDocument } from '../../openapi/document.ts'
import { toOpenApi30 } from '../../openapi/openapi-3.0.ts'
import { publishedDocument } from '../../openapi/published.ts'

/** The documentation, built from `endpoints()` at the first request. */
export function docsEndpoints(endpoints: () => readonly Endpoint[]): Endpoint[] {
  const document = once((deps: HttpDeps) => openApiDocument(deps, endpoints()))
  const published = once((deps: HttpDeps) => publishedDocument(document(deps)))
  const openApi = once((deps: HttpDeps) => packed(JSON.stringify(published(deps)), JSON_HEADERS))
  const openApi30 = once((deps: HttpDeps) =>
    packed(JSON.stringify(toOpenApi30(published(deps))), JSON_HEADERS),
  )
  const ofAccount = once((deps: HttpDeps) => JSON.stringify(accountDocument(published(deps), ACCOUNT)))
  const reference = once((deps: HttpDeps) => packed(referencePage(document(deps), endpoints()), HTML_HEADERS))
  const errors = once(() => packed(errorsPage(), HTML_HEADERS))
  const guides = once(async () => (await import('../../docs/guides.ts')).readGuides())
  const guideList = once(async (deps: HttpDeps) => packed(guidesPage(await guides(deps)), HTML_HEADERS))
  const guidePages = once(async (deps: HttpDeps) => {
    const all = await guides(deps)
    return new Map(all.map((guide) => [guide.name, packed(guidePage(all, guide), HTML_HEADERS)]))
  })
  const llms = once((deps: HttpDeps) =>
    packed(renderLlmsText(document(deps), readGuideSources()), MARKDOWN_HEADERS),
  )
  const referenceText = once((deps: HttpDeps) =>
    packed(renderReferenceMarkdown(document(deps), endpoints()), MARKDOWN_HEADERS),
  )
  const errorsText = once(() => packed(renderErrorsMarkdown(), MARKDOWN_HEADERS))
  const guideText = cacheByName((name) => {
    const source = readGuideSources().find((one) => one.name === name)
    return source ? packed(toServedMarkdown(source.markdown), MARKDOWN_HEADERS) : null
  })
  const operationText = cacheByName((name, deps) => {
    const text = findOperationMarkdown(document(deps), endpoints(), name)
    return text === null ? null : packed(text, MARKDOWN_HEADERS)
  })
  const common = { method: 'GET', access: 'public', tag: 'Service', refusals: [] } as const
  return [
    openEndpoint({
      ...common,
      url: '/openapi.json',
      operationId: 'getOpenApi',
      summary: 'Get this API as OpenAPI 3.1',
      answers: { 200: { description: 'The OpenAPI document.', schema: AnOpenApiDocument }, ...UNCHANGED },
      handle: (ask) => toResponse(openApi(ask.deps), ask),
    }),
    openEndpoint({
      ...common,
      url: '/openapi-3.0.json',
      operationId: 'getOpenApi30',
      summary: 'Get this API as OpenAPI 3.0',
      description:
        'For generators that do not know 3.1. It is made from the 3.1 document and has no webhooks.',
      answers: { 200: { description: 'The OpenAPI document.', schema: AnOpenApiDocument }, ...UNCHANGED },
      handle: (ask) => toResponse(openApi30(ask.deps), ask),
    }),
    openEndpoint({
      ...common,
      url: '/:tenant_id/openapi.json',
      operationId: 'getAccountOpenApi',
      summary: 'Get the API of one account as OpenAPI 3.1',
      description:
        'The endpoints that an API client of the account may call. Its server is the account’s, and its `token` is an OAuth 2.0 flow with `tokenUrl` and scopes, so that *Authorize* works in API viewers. Public, and the same for every id: it does not tell whether the account exists.',
      cost: ACCOUNT_COST,
      answers: { 200: { description: 'The OpenAPI document.', schema: AnOpenApiDocument } },
      handle: ({ deps, params, request }) => {
        const tenantId = params.tenant_id as string
        if (!TENANT_ID.test(tenantId)) throw notFound()
        const body = ofAccount(deps).replaceAll(ACCOUNT, tenantId)
        return packedFor(request, { status: 200, headers: JSON_HEADERS, body })
      },
    }),
    openEndpoint({
      ...common,
      url: '/docs',
      operationId: 'getReference',
      summary: 'Open the API reference',
      answers: { 200: { description: 'An HTML page.', media: ['text/html'] }, ...UNCHANGED },
      handle: (ask) => toResponse(reference(ask.deps), ask),
    }),
    openEndpoint({
      ...common,
      url: '/docs/errors',
      operationId: 'getErrors',
      summary: 'Open the list of error codes, with meaning and remedy',
      answers: { 200: { description: 'An HTML page.', media: ['text/html'] }, ...UNCHANGED },
      handle: (ask) => toResponse(errors(ask.deps), ask),
    }),
    openEndpoint({
      ...common,
      url: '/docs/guides',
      operationId: 'getGuides',
      summary: 'Open the list of guides',
      answers: { 200: { description: 'An HTML page.', media: ['text/html'] }, ...UNCHANGED },
      handle: async (ask) => toResponse(await guideList(ask.deps), ask),
    }),
    openEndpoint({
      ...common,
      url: '/docs/guides/:guide',
      operationId: 'getGuide',
      summary: 'Open a guide',
      exampleCall: { path: { guide: 'portal' } },
      answers: { 200: { description: 'An HTML page.', media: ['text/html'] }, ...UNCHANGED },
      handle: async (ask) => {
        const guide = (await guidePages(ask.deps)).get(ask.params.guide as string)
        if (!guide) throw new Refusal('not_found', 'There is no such guide. GET /docs/guides lists them.')
        return toResponse(guide, ask)
      },
    }),
    openEndpoint({
      ...common,
      url: '/llms.txt',
      operationId: 'getLlmsText',
      summary: 'Get llms.txt, the index of the documentation for language models',
      description: 'In the form of [llms.txt](https://llmstxt.org).',
      answers: MARKDOWN_ANSWERS,
      handle: (ask) => toResponse(llms(ask.deps), ask),
    }),
    openEndpoint({
      ...common,
      url: '/docs.md',
      operationId: 'getReferenceMarkdown',
      summary: 'Get the API reference as Markdown',
      answers: MARKDOWN_ANSWERS,
      handle: (ask) => toResponse(referenceText(ask.deps), ask),
    }),
    openEndpoint({
      ...common,
      url: '/docs/errors.md',
      operationId: 'getErrorsMarkdown',
      summary: 'Get the list of error codes as Markdown',
      answers: MARKDOWN_ANSWERS,
      handle: (ask) => toResponse(errorsText(ask.deps), ask),
    }),
    openEndpoint({
      ...common,
      url: '/docs/guides/:guide.md',
      operationId: 'getGuideMarkdown',
      summary: 'Get a guide as Markdown',
      exampleCall: { path: { guide: 'portal' } },
      answers: MARKDOWN_ANSWERS,
      handle: async (ask) => {
        const guide = await guideText(ask.params.guide as string, ask.deps)
        if (!guide) throw new Refusal('not_found', 'There is no such guide. GET /llms.txt lists them.')
        return toResponse(guide, ask)
      },
    }),
    openEndpoint({
      ...common,
      url: '/docs/operations/:operation.md',
      operationId: 'getOperationMarkdown',
      summary: 'Get the reference of one operation as Markdown',
      exampleCall: { path: { operation: 'createDelivery' } },
      answers: MARKDOWN_ANSWERS,
      handle: async (ask) => {
        const operation = await operationText(ask.params.operation as string, ask.deps)
        if (!operation) throw new Refusal('not_found', 'There is no such operation. GET /docs.md lists them.')
        return toResponse(operation, ask)
      },
    }),
  ]
}

/** Placeholder of the account's id until a request names it. None of our texts contains it. */
const ACCOUNT = 'account-of-the-request'
/** As the account document's schema has it. */
const TENANT_ID = /^(?=.{1,63}$)[a-z0-9]+(?:[-_][a-z0-9]+)*$/
/** A megabyte of text, compressed for each request. */
const ACCOUNT_COST = 20

const AnOpenApiDocument = z
  .looseObject({ openapi: z.string(), paths: z.looseObject({}) })
  .meta({ id: 'OpenApi' })
const UNCHANGED = { 304: { description: 'The copy that `If-None-Match` names is still current.' } }

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' }
const HTML_HEADERS = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': DOCS_POLICY }

const MARKDOWN_HEADERS = { 'content-type': 'text/markdown; charset=utf-8' }
const MARKDOWN_ANSWERS = {
  200: { description: 'A Markdown text.', media: ['text/markdown'] },
  ...UNCHANGED,
} as const

type CompressedText = { text: Buffer; gzip: Buffer; brotli: Buffer; headers: Record<string, string> }

/** Compresses once, because the response is the same for every caller. */
function packed(text: string, headers: Record<string, string>): CompressedText {
  const bytes = Buffer.from(text)
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return {
    text: bytes,
    gzip: gzipSync(bytes),
    brotli: brotliCompressSync(bytes),
    headers: { ...headers, etag, 'cache-control': 'no-cache', vary: 'accept-encoding' },
  }
}

function toResponse(
  { text, gzip, brotli, headers }: CompressedText,
  { request }: RequestContext,
): HttpResponse {
  if (request.headers['if-none-match'] === headers.etag) return { status: 304, headers, body: '' }
  if (takesEncoding(request, 'br')) {
    return { status: 200, headers: { ...headers, 'content-encoding': 'br' }, body: brotli }
  }
  if (takesEncoding(request, 'gzip')) {
    return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzip }
  }
  return { status: 200, headers, body: text }
}

function once<T>(make: (deps: HttpDeps) => T): (deps: HttpDeps) => T {
  let value: T | undefined
  return (deps) => {
    value ??= make(deps)
    return value
  }
}

/** Keeps each name's text from its first request on; a name without a text is not kept, because anybody may send it. */
function cacheByName(
  make: (name: string, deps: HttpDeps) => CompressedText | null | Promise<CompressedText | null>,
): (name: string, deps: HttpDeps) => Promise<CompressedText | null> {
  const texts = new Map<string, CompressedText>()
  return async (name, deps) => {
    const text = texts.get(name) ?? (await make(name, deps))
    if (text) texts.set(name, text)
    return text
  }
}

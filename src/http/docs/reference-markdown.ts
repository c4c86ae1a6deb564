import type { Endpoint } from '../contract/endpoint.ts'
import { ERRORS } from '../contract/errors.ts'
import { ABOUT_RESPONSES, readResponseExamples } from '../examples/response-examples.ts'
import { toShellSetUp, VARIABLES } from '../examples/variables.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { listClientCalls } from './client-call.ts'
import { type GuideSource, toFirstSentence, toTitle } from './guide-sources.ts'
import { listOperations } from './operation.ts'
import { renderOperationMarkdown, toBlock, toMarkdownProse, toPage } from './operation-markdown.ts'

/** `/llms.txt`, in the form of the proposal at https://llmstxt.org: where a language model finds which text. */
export function renderLlmsText(document: OpenApiDocument, guides: readonly GuideSource[]): string {
  const base = document.servers[0]?.url ?? ''
  const item = (title: string, path: string, sentence: string): string =>
    `- [${title}](${base}${path}): ${sentence}`
  return toPage([
    '# Drover',
    '> Open-source delivery software for merchants with stores: quote, book, label and track deliveries with many carriers through one API.',
    'Every page below is Markdown. The page of an operation needs no other page: it has the fields, their rules, an example and the errors with their remedies.',
    '## API reference',
    [
      item('All operations', '/docs.md', 'Each operation in one line, with a link to its page.'),
      item('Errors', '/docs/errors.md', 'Each error code, with its meaning and its remedy.'),
      item('OpenAPI 3.1', '/openapi.json', 'The whole API for programs and generators.'),
    ].join('\n'),
    '## Guides',
    guides
      .map(({ name, markdown }) =>
        item(toTitle(markdown), `/docs/guides/${name}.md`, toFirstSentence(markdown)),
      )
      .join('\n'),
    '## Optional',
    listOperations(document)
      .map(({ method, path, operation: { operationId, summary } }) =>
        item(summary, `/docs/operations/${operationId}.md`, `\`${method.toUpperCase()} ${path}\`.`),
      )
      .join('\n'),
  ])
}

/** The API reference as Markdown: every operation in one line, and the lines that set the variables of the examples. */
export function renderReferenceMarkdown(document: OpenApiDocument, endpoints: readonly Endpoint[]): string {
  const exported = [...listClientCalls(document, endpoints).values()].flatMap(({ variables }) => variables)
  const operations = listOperations(document)
  const ofTag = (tag: string) => operations.filter(({ operation }) => operation.tags[0] === tag)
  return toPage([
    '# API reference',
    toMarkdownProse(String(document.info.description)),
    'The [list of errors](/docs/errors.md) has the codes and remedies. [The guides](/llms.txt) explain how to do a task.',
    ...document.tags
      .filter(({ name }) => ofTag(name).length > 0)
      .flatMap(({ name, description }) => [
        `## ${name}`,
        description,
        ofTag(name)
          .map(
            ({ method, path, operation: { operationId, summary } }) =>
              `- [${summary}](/docs/operations/${operationId}.md): \`${method.toUpperCase()} ${path}\``,
          )
          .join('\n'),
      ]),
    '## Webhooks',
    'The requests that Drover sends to your endpoints, signed by Standard Webhooks.',
    Object.entries(document.webhooks)
      .map(([type, { post }]) => `- \`${type}\`: ${post.summary}.`)
      .join('\n'),
    '## Begin',
    'These lines set the variables of the examples in bash or zsh. They use the demo account, whose names and secrets are public.',
    ABOUT_RESPONSES,
    VARIABLES.map(({ name, means }) => `- \`$${name}\`: ${means}`).join('\n'),
    toBlock('sh', toShellSetUp(document.servers[0]?.url ?? '', exported)),
  ])
}

/** Every error code as Markdown, with its meaning and remedy. */
export function renderErrorsMarkdown(): string {
  return toPage([
    '# Errors',
    'Every error is an `application/problem+json` document (RFC 9457). `code` is stable: programs may switch on it. `errors` names every field that is wrong. Token errors have the form of RFC 6749.',
    ...Object.entries(ERRORS).map(
      ([code, { status, title, meaning, remedy }]) =>
        `## ${code}\n\n${status}. ${title}. ${meaning}\n\n${remedy}`,
    ),
  ])
}

/** The page of an operation by its operationId; null if there is no such operation. */
export function findOperationMarkdown(
  document: OpenApiDocument,
  endpoints: readonly Endpoint[],
  operationId: string,
): string | null {
  const listed = listOperations(document).find(({ operation }) => operation.operationId === operationId)
  const endpoint = endpoints.find((one) => one.operationId === operationId)
  if (!listed || !endpoint) return null
  const call = listClientCalls(document, endpoints).get(operationId)
  const recorded = readResponseExamples(document.servers[0]?.url ?? '').get(operationId)
  return renderOperationMarkdown(listed, endpoint, document, call, recorded)
}

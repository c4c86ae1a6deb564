import type { Endpoint } from '../contract/endpoint.ts'
import { ERRORS } from '../contract/errors.ts'
import { toCurl } from '../examples/curl.ts'
import { describeResponse, type ResponseExample, toJsonText } from '../examples/response-examples.ts'
import type { JsonSchema } from '../openapi/components.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { listCodes } from '../openapi/refusals.ts'
import { describeAccess } from './access.ts'
import { type ClientCall, toClientSetUp, toPythonSetUp } from './client-call.ts'
import { describeType, listFields, type TypePart, toSchemaName } from './fields.ts'
import type { ListedOperation, Operation } from './operation.ts'

const JSON_MEDIA = 'application/json'

/** One operation as Markdown that needs no other page: its input, an example, its responses, errors and schemas. */
export function renderOperationMarkdown(
  { method, path, operation }: ListedOperation,
  endpoint: Endpoint,
  document: OpenApiDocument,
  call: ClientCall | undefined,
  recorded: ResponseExample | undefined,
): string {
  const { summary, description, parameters, requestBody, responses } = operation
  const schemas = document.components.schemas as Record<string, JsonSchema>
  const baseUrl = document.servers[0]?.url ?? ''
  const [media, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 400)
  const shown = successes.flatMap(([, { content }]) => {
    const schema = content?.[JSON_MEDIA]?.schema
    return schema ? [schema] : []
  })
  return toPage([
    `# ${summary}`,
    `\`${method.toUpperCase()} ${path}\` (\`${operation.operationId}\`)`,
    description && toMarkdownProse(description),
    describeAccess(endpoint, operation),
    parameters.length > 0 && `## Parameters\n\n${parameters.map(toParameter).join('\n')}`,
    body && '## Body',
    body &&
      `${media === JSON_MEDIA ? 'JSON' : media}, ${requestBody?.required ? 'required' : 'optional'}. ${requestBody?.description}`,
    body && describeSchema(body.schema),
    '## Example',
    'The lines that set the variables are in the [API reference](/docs.md#begin).',
    toBlock('sh', toCurl(endpoint)),
    call &&
      'With our TypeScript and Python clients. Run the program from the same shell: it reads the variables from the environment.',
    call && toBlock('ts', `${toClientSetUp(baseUrl, [call])}\n\n${call.typescript}`),
    call && toBlock('python', `${toPythonSetUp(baseUrl, [call])}\n\n${call.python}`),
    toExampleNote(endpoint),
    recorded && `Its response: ${describeResponse(recorded)}`,
    recorded?.body !== undefined && toBlock('json', toJsonText(recorded.body)),
    `## Responses\n\n${successes.map(([status, answer]) => toAnswerRow(status, answer)).join('\n')}`,
    `## Errors\n\nEach is an \`application/problem+json\` document. The [list of errors](/docs/errors.md) explains the codes.\n\n${listErrors(endpoint)}`,
    ...schemaSections([...(body ? [body.schema] : []), ...shown], schemas),
  ])
}

/** Paragraphs with one empty line between them; what is not there is left out. */
export function toPage(parts: readonly (string | false | null | undefined)[]): string {
  return `${parts.filter((part) => typeof part === 'string' && part !== '').join('\n\n')}\n`
}

/** A text of the document: its links to guides lead to the guides' Markdown. */
export function toMarkdownProse(text: string): string {
  return text.replaceAll(/\]\((\/docs\/guides\/[a-z-]+)/g, ']($1.md')
}

/** A fenced code block. The examples contain no fence. */
export function toBlock(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``
}

function toParameter({
  name,
  in: place,
  required,
  description,
  schema,
}: Operation['parameters'][number]): string {
  const type = toType(describeType(schema))
  return toItem(`\`${name}\` (${place}${required ? ', required' : ''}): ${type}`, description, [])
}

/** A schema's own fields, or its type in one line. A named schema is described below, in its own section. */
function describeSchema(schema: JsonSchema): string {
  const fields = listFields(schema)
  if (fields.length === 0) return `Type: ${toType(describeType(schema))}`
  return fields
    .map(({ path, isRequired, type, description, limits }) =>
      toItem(`\`${path}\`${isRequired ? ' (required)' : ''}: ${toType(type)}`, description, limits),
    )
    .join('\n')
}

function toItem(start: string, description: unknown, limits: readonly string[]): string {
  const text =
    typeof description === 'string' ? `. ${toMarkdownProse(description).replaceAll('\n', ' ')}` : ''
  return `- ${start}${limits.length > 0 ? `; ${limits.join('; ')}` : ''}${text}`
}

function toType(parts: readonly TypePart[]): string {
  const texts: Readonly<Record<TypePart['kind'], (text: string) => string>> = {
    word: (text) => text,
    value: (text) => `\`${text}\``,
    schema: (text) => `[${text}](#${text.toLowerCase()})`,
  }
  return parts.map(({ kind, text }) => texts[kind](text)).join('')
}

function toExampleNote({ exampleCall }: Endpoint): string | null {
  const status = exampleCall?.status
  return status ? `In the demo, the response is ${status.code}, because ${status.because}.` : null
}

function toAnswerRow(status: string, { description, content = {} }: Operation['responses'][string]): string {
  const shapes = Object.entries(content).map(([media, { schema }]) =>
    media === JSON_MEDIA ? toType(describeType(schema)) : `\`${media}\``,
  )
  return `- ${status}: ${description}${shapes.length > 0 ? ` ${shapes.join(' or ')}` : ''}`
}

function listErrors(endpoint: Endpoint): string {
  return listCodes(endpoint)
    .map((code) => ({ code, ...ERRORS[code] }))
    .toSorted((a, b) => a.status - b.status)
    .map(({ code, status, title, remedy }) => `- ${status} \`${code}\`: ${title}. ${remedy}`)
    .join('\n')
}

/** The named schemas that these name, each with a section of its own. */
function schemaSections(
  roots: readonly JsonSchema[],
  schemas: Readonly<Record<string, JsonSchema>>,
): string[] {
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref' || typeof inner !== 'string') visit(inner)
      else if (!names.has(toSchemaName(inner))) {
        names.add(toSchemaName(inner))
        visit(schemas[toSchemaName(inner)])
      }
    }
  }
  roots.forEach(visit)
  if (names.size === 0) return []
  return [
    '## Schemas',
    ...[...names].flatMap((name) => {
      const schema = schemas[name] as JsonSchema
      const { description } = schema
      return [
        `### ${name}`,
        typeof description === 'string' ? toMarkdownProse(description) : '',
        describeSchema(schema),
      ]
    }),
  ]
}

/** Writes `web/shared/api.generated.ts`: the API's types for the pages, a type for each path. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { allEndpoints } from '../src/http/api/endpoints.ts'
import { type OpenApiDocument, openApiDocument } from '../src/http/openapi/document.ts'
import { isMain } from './is-main.ts'

const FILE = resolve(import.meta.dirname, '../web/shared/api.generated.ts')

/** Leaves the file untouched when its contents are the same. */
export async function writeApiTypes(): Promise<void> {
  writeIfChanged(FILE, apiTypes(openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints())))
}

export function writeIfChanged(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

export type Schema = {
  $ref?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  type?: string | string[]
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
}
export type Operation = {
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}
export type Content = Record<string, { schema: Schema }>

/** One type for each named schema, and `paths` with the request and responses of every operation. */
export function apiTypes(document: OpenApiDocument): string {
  const schemas = document.components.schemas as Record<string, Schema>
  const types = Object.entries(schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)}\n`)
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const members = Object.entries(operations).map(
      ([method, operation]) => `    ${method}: ${operationType(operation as Operation)}\n`,
    )
    return `  ${JSON.stringify(path)}: {\n${members.join('')}  }\n`
  })
  const made = '// Made by scripts/api-types.ts from the OpenAPI document; not kept in git.\n'
  return `${made}${types.join('')}export type paths = {\n${paths.join('')}}\n`
}

function operationType({ parameters, requestBody, responses }: Operation): string {
  const places = ['path', 'query', 'header'].flatMap((place) => {
    const here = parameters.filter((one) => one.in === place)
    if (here.length === 0) return []
    const optional = here.some(({ required }) => required) ? '' : '?'
    const members = here.map(
      (one) => `${JSON.stringify(one.name)}${one.required ? '' : '?'}: ${typeOf(one.schema)}`,
    )
    return `${place}${optional}: { ${members.join('; ')} }`
  })
  const body = requestBody
    ? `requestBody${requestBody.required ? '' : '?'}: { content: ${contentType(requestBody.content)} }; `
    : ''
  const answers = Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(
      ([status, { content }]) =>
        `${status}: { content: ${content ? contentType(asData(content)) : 'never'} }`,
    )
  answers.push(`default: { content: { 'application/problem+json': Problem } }`)
  return `{ parameters: { ${places.join('; ')} }; ${body}responses: { ${answers.join('; ')} } }`
}

/** Our pages request data, even where a browser would get a page. */
function asData({ 'text/html': page, ...data }: Content): Content {
  return page && Object.keys(data).length === 0 ? { 'text/html': page } : data
}

function contentType(content: Content): string {
  const media = Object.entries(content).filter(([type]) => type !== 'application/problem+json')
  return `{ ${media.map(([type, { schema }]) => `${JSON.stringify(type)}: ${typeOf(schema)}`).join('; ')} }`
}

export function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) as string
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ') || 'never'
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return `(${choices.map(typeOf).join(' | ')})`
  if (schema.allOf) return `(${schema.allOf.map(typeOf).join(' & ')})`
  if (Array.isArray(schema.type))
    return `(${schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')})`
  return SIMPLE[schema.type ?? ''] ?? structureType(schema)
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

function structureType(schema: Schema): string {
  if (schema.type === 'array') return `(${typeOf(schema.items ?? {})})[]`
  if (schema.type !== 'object') return 'unknown'
  const { properties, required = [], additionalProperties } = schema
  if (!properties) {
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>`
  }
  const members = Object.entries(properties).map(
    ([name, inner]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(inner)}`,
  )
  return `{ ${members.join('; ')} }`
}

if (isMain(import.meta.url)) await writeApiTypes()

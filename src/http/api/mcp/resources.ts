import type { TenantRequest } from '../../contract/endpoint.ts'
import { ERRORS, type ErrorCode } from '../../contract/errors.ts'
import { readGuideSources, toTitle } from '../../docs/guide-sources.ts'
import type { Toolbox } from './toolbox.ts'

type Contents = { uri: string; mimeType: string; text: string }
type Listed = { uri: string; name: string; title: string; mimeType: string }
type Template = { uriTemplate: string; name: string; title: string; mimeType: string; description: string }

const JSON_TYPE = 'application/json'
const MARKDOWN = 'text/markdown'

/** Resources that are a tool's answer, with the tool's scope, masking and audit row. */
const OF_TOOLS = [
  {
    start: 'drover://deliveries/',
    end: '',
    tool: 'get_delivery',
    argument: 'delivery_id_or_reference',
    name: 'delivery',
    title: 'A delivery',
    description: 'One delivery by its id or reference; personal data is masked.',
  },
  {
    start: 'drover://stores/',
    end: '/today',
    tool: 'day_of_store',
    argument: 'store_id_or_reference',
    name: 'store-today',
    title: 'A store’s day',
    description: 'A store’s hours, cut-offs and deliveries today.',
  },
] as const

/** The guides, which every token may read. */
export function listResources(): Listed[] {
  return readGuideSources().map(({ name, markdown }) => ({
    uri: `drover://docs/${name}`,
    name: `guide-${name}`,
    title: toTitle(markdown),
    mimeType: MARKDOWN,
  }))
}

export function listTemplates(toolbox: Toolbox, ask: TenantRequest): Template[] {
  const allowed = new Set(toolbox.list(ask).map(({ name }) => name))
  const ofTools = OF_TOOLS.filter(({ tool }) => allowed.has(tool)).map(
    ({ start, end, argument, name, title, description }) => ({
      ...{ uriTemplate: `${start}{${argument}}${end}`, name, title, description, mimeType: JSON_TYPE },
    }),
  )
  const description = 'What a Drover error code means, and what to do.'
  const ofErrors = {
    uriTemplate: 'drover://errors/{code}',
    name: 'error',
    title: 'An error code',
    description,
  }
  return [...ofTools, { ...ofErrors, mimeType: JSON_TYPE }]
}

/** Null if there is no such resource, or this token may not read it. */
export async function readResource(
  toolbox: Toolbox,
  ask: TenantRequest,
  uri: string,
): Promise<Contents[] | null> {
  const [, kind, name = ''] = /^drover:\/\/(docs|errors)\/([a-z_-]+)$/.exec(uri) ?? []
  if (kind === 'docs') {
    const guide = readGuideSources().find((one) => one.name === name)
    return guide ? [{ uri, mimeType: MARKDOWN, text: guide.markdown }] : null
  }
  if (kind === 'errors') {
    if (!Object.hasOwn(ERRORS, name)) return null
    return [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(ERRORS[name as ErrorCode]) }]
  }
  for (const { start, end, tool, argument } of OF_TOOLS) {
    const named =
      uri.startsWith(start) && uri.endsWith(end) ? uri.slice(start.length, uri.length - end.length) : ''
    const decoded = named === '' ? null : decode(named)
    if (decoded === null) continue
    const answer = await toolbox.call(ask, tool, { [argument]: decoded })
    if (answer?.isError && isMissing(answer.structuredContent)) return null
    return [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(answer?.structuredContent) }]
  }
  return null
}

function isMissing({ error }: Record<string, unknown>): boolean {
  return ['not_found', 'insufficient_scope'].includes((error as { code: string }).code)
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

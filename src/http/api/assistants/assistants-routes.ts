import { record } from '../../../domain/untyped-json.ts'
import {
  changeAssistant,
  createAssistant,
  listAssistantsOfAccount,
  listRedirectUrlIssues,
  type RegisteredAssistant,
  removeAssistant,
} from '../../../operations/assistants/assistants.ts'
import { listSpentToday } from '../../../operations/assistants/spending-limit.ts'
import { requirePersonOrOperator } from '../../admission/confirm-person.ts'
import { type Endpoint, json, tenantEndpoint, wholeList } from '../../contract/endpoint.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { AssistantAnswer, AssistantBody, AssistantPatchBody, AssistantsAnswer } from './assistants-schema.ts'

const ALL = '/:tenant_id/assistants'
const ONE = `${ALL}/:assistant_id`
const shared = { access: 'account', tag: 'People' } as const

const listIssues = ({ body }: { body: unknown }) => listRedirectUrlIssues(record(body).redirect_urls)

/** The assistants that people may connect to the MCP endpoint in their own name. */
export const ASSISTANT_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    ...shared,
    method: 'GET',
    url: ALL,
    operationId: 'listAssistants',
    summary: 'List the assistants that people may connect',
    answers: { 200: { description: 'The assistants, oldest first.', schema: AssistantsAnswer } },
    refusals: [],
    async handle({ deps, entry }) {
      const spent = await listSpentToday(deps, entry)
      return wholeList(
        (await listAssistantsOfAccount(deps, entry.account.id)).map((one) => toWire(one, spent)),
      )
    },
  }),
  tenantEndpoint({
    ...shared,
    method: 'POST',
    url: ALL,
    operationId: 'createAssistant',
    summary: 'Add an assistant that people may connect',
    description:
      'Registers an OAuth client of the MCP endpoint. It has no secret, and no access until a person of the account allows it. [Guide](/docs/guides/mcp).',
    body: AssistantBody,
    moreIssues: listIssues,
    example: { name: 'Claude', redirect_urls: ['https://assistant.example.com/callback'] },
    answers: { 201: { description: 'The assistant. Its `id` is the `client_id`.', schema: AssistantAnswer } },
    refusals: ['person_required'],
    async handle(ask) {
      requirePersonOrOperator(ask)
      const { deps, entry, body, audit } = ask
      const form = { name: body.name, redirectUrls: body.redirect_urls }
      const assistant = await createAssistant(deps, entry.account.id, form, audit.record)
      return json(201, { data: toWire(assistant, NOTHING_SPENT) })
    },
  }),
  tenantEndpoint({
    ...shared,
    method: 'PATCH',
    url: ONE,
    operationId: 'changeAssistant',
    summary: 'Change an assistant',
    description: 'People who have connected the assistant stay connected.',
    body: AssistantPatchBody,
    moreIssues: listIssues,
    example: { name: 'Claude for the counter' },
    answers: { 200: { description: 'The assistant after the change.', schema: AssistantAnswer } },
    refusals: ['person_required'],
    async handle(ask) {
      requirePersonOrOperator(ask)
      const { deps, entry, params, body, audit } = ask
      const change = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.redirect_urls === undefined ? {} : { redirectUrls: body.redirect_urls }),
      }
      const key = { accountId: entry.account.id, assistantId: params.assistant_id as string }
      const assistant = await changeAssistant(deps, key, change, audit.record)
      return json(200, { data: toWire(assistant, await listSpentToday(deps, entry)) })
    },
  }),
  tenantEndpoint({
    ...shared,
    method: 'DELETE',
    url: ONE,
    operationId: 'removeAssistant',
    summary: 'Remove an assistant',
    description: 'Ends its access in the name of every person at once.',
    answers: { 204: { description: 'The assistant is removed.' } },
    refusals: ['person_required'],
    async handle(ask) {
      requirePersonOrOperator(ask)
      const { deps, entry, params, audit } = ask
      const key = { accountId: entry.account.id, assistantId: params.assistant_id as string }
      await removeAssistant(deps, key, audit.record)
      return { status: 204, body: '' }
    },
  }),
]

const NOTHING_SPENT: ReadonlyMap<string, number> = new Map()

function toWire(
  { assistantId, name, redirectUrls, createdAtMs }: RegisteredAssistant,
  spent: ReadonlyMap<string, number>,
): object {
  return {
    ...{ id: assistantId, name, redirect_urls: redirectUrls, created_at: recordTime(createdAtMs) },
    mcp_spent_today_cents: spent.get(assistantId) ?? 0,
  }
}

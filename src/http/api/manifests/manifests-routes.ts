import type { z } from 'zod'
import { getSubmitAttempt } from '../../../domain/manifests/manifest-actions.ts'
import { rawManifestIssues } from '../../../domain/manifests/manifest-issues.ts'
import { findStatusRemedy } from '../../../domain/manifests/status-remedy.ts'
import type { AccountEntry } from '../../../operations/directory/account-directory.ts'
import { toResolveContext } from '../../../operations/directory/caller.ts'
import { listIssues } from '../../../operations/lists/list-scope.ts'
import { discardManifest } from '../../../operations/manifests/discard-manifest.ts'
import {
  type FullManifest,
  getManifest,
  listManifestPage,
  MANIFEST_PLACE,
} from '../../../operations/manifests/get-manifest.ts'
import { type ManifestRequest, manifestStore } from '../../../operations/manifests/manifest-store.ts'
import { settleManifest } from '../../../operations/manifests/settle-manifest.ts'
import { submitDraft } from '../../../operations/manifests/submit-draft.ts'
import { MANIFEST_BODY } from '../../contract/body-limit.ts'
import type { HttpDeps } from '../../contract/deps.ts'
import { created, type Endpoint, json, type TenantRequest, tenantEndpoint } from '../../contract/endpoint.ts'
import { toScope } from '../../input/list-query.ts'
import { signedUrl } from '../deliveries/delivery-answer.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { EmptyBody } from '../deliveries/lists-schema.ts'
import { MANIFEST_EXAMPLE } from '../fields/examples.ts'
import {
  ManifestAnswer,
  ManifestBody,
  ManifestListAnswer,
  ManifestListQuery,
  ManifestsAnswer,
  SettleManifestBody,
  StoreManifestBody,
} from './manifest-schema.ts'

const ONE = '/:tenant_id/manifests/:manifest_id'

export const MANIFEST_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'POST',
    url: '/:tenant_id/store-manifests',
    operationId: 'createStoreManifests',
    audit: 'own',
    access: 'manifests',
    tag: 'Manifests',
    summary: 'Create manifests for a store',
    description:
      'Creates one manifest for each group, with separate manifests for dangerous goods if the carrier needs them. Each delivery is on at most one manifest, even with simultaneous requests. If some of the named deliveries are already on another manifest, Drover creates nothing. The 422 response then lists those manifests in `on_manifests` (`manifest_id`, `delivery_references`). If the carrier does not answer within 8 seconds, the manifest is `submitting` and Drover continues in the background.',
    body: StoreManifestBody,
    bodyLimit: MANIFEST_BODY,
    moreIssues: ({ entry, caller, body }) =>
      rawManifestIssues(entry.account, body, toResolveContext(entry, caller).sight),
    example: MANIFEST_EXAMPLE,
    answers: {
      201: {
        description: 'The manifests. The list is empty if no delivery is eligible.',
        schema: ManifestsAnswer,
      },
    },
    refusals: [],
    async handle(ask) {
      const { body } = ask
      return createManifests(ask, {
        ...toManifestRequest(body),
        group: null,
        markReady: body.ready_to_manifest ?? false,
        submit: body.create_manifest_now,
      })
    },
  }),
  tenantEndpoint({
    method: 'POST',
    url: '/:tenant_id/manifests',
    operationId: 'createManifests',
    audit: 'own',
    access: 'manifests',
    tag: 'Manifests',
    summary: 'Create manifests for one group of a store',
    description: 'Like `store-manifests` for one group. The manifests are submitted at once.',
    body: ManifestBody,
    bodyLimit: MANIFEST_BODY,
    moreIssues: ({ entry, caller, body }) =>
      rawManifestIssues(entry.account, body, toResolveContext(entry, caller).sight),
    example: {
      store_reference: 'melbourne-cbd',
      manifest_group: 'SOUTHERN-ROAD',
      contains_dangerous_goods: true,
    },
    answers: {
      201: {
        description: 'The manifests. The list is empty if no delivery is eligible.',
        schema: ManifestsAnswer,
      },
    },
    refusals: [],
    async handle(ask) {
      const group = ask.body.manifest_group
      return createManifests(ask, { ...toManifestRequest(ask.body), group, markReady: false, submit: true })
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: '/:tenant_id/manifests',
    operationId: 'listManifests',
    readsReplica: true,
    access: 'manifests',
    tag: 'Manifests',
    summary: 'List manifests, newest first',
    query: ManifestListQuery,
    moreOfQuery: ({ entry, caller, query }) => listIssues(entry, caller, toScope(query), MANIFEST_PLACE),
    answers: { 200: { description: 'One page of manifests.', schema: ManifestListAnswer } },
    refusals: [],
    async handle({ deps, entry, caller, query }) {
      const page = { ...toScope(query), limit: query.limit ?? 50 }
      const { manifests, next } = await listManifestPage(deps, entry, caller, page)
      const data = await Promise.all(manifests.map((full) => manifestData(deps, entry, full)))
      return json(200, { data, pagination: { next, has_more: next !== null } })
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: ONE,
    operationId: 'getManifest',
    access: 'manifests',
    tag: 'Manifests',
    summary: 'Get a manifest',
    description: '`status` and `counts` show the progress.',
    answers: { 200: { description: 'The current manifest.', schema: ManifestAnswer } },
    refusals: [],
    async handle(ask) {
      const { deps, entry, caller } = ask
      return one(ask, await getManifest(deps, entry, caller, getId(ask)))
    },
  }),
  tenantEndpoint({
    method: 'POST',
    url: `${ONE}/submit`,
    operationId: 'submitManifest',
    access: 'manifests',
    tag: 'Manifests',
    summary: 'Submit a draft manifest',
    description:
      'A draft does not reserve its deliveries. If some of them are no longer eligible, nothing is submitted. For a manifest that is already submitted, the response is the unchanged manifest. A manifest that the carrier refused may be submitted again.',
    body: EmptyBody,
    bodyOptional: true,
    answers: {
      200: { description: 'The submitted manifest.', schema: ManifestAnswer },
      202: {
        description: 'The carrier has not answered yet. Drover continues in the background.',
        schema: ManifestAnswer,
      },
    },
    refusals: [
      'deliveries_not_eligible',
      'manifest_refused',
      'manifest_outcome_unknown',
      'manifest_discarded',
    ],
    async handle(ask) {
      const { deps, entry, caller } = ask
      const full = await submitDraft(deps, entry, caller, getId(ask))
      return one(ask, full, full.manifest.state === 'submitted' ? 200 : 202)
    },
  }),
  tenantEndpoint({
    method: 'PATCH',
    url: `${ONE}/settle-submit`,
    operationId: 'settleSubmit',
    access: 'manifests',
    tag: 'Manifests',
    summary: 'Resolve an unknown manifest manually',
    description:
      'Records whether the carrier has the manifest, after a person has asked the carrier. Its `submit_attempt` must be `unanswered`: the manifest is `on_hold`, or Drover is waiting before it asks the carrier again. If the carrier has it, Drover records it as submitted with the given order. Otherwise its deliveries can go on another manifest.',
    body: SettleManifestBody,
    example: { submitted: false },
    exampleCall: { status: { code: 409, because: 'the manifest’s outcome is known' } },
    answers: { 200: { description: 'The manifest, submitted or refused.', schema: ManifestAnswer } },
    refusals: ['manifest_outcome_known'],
    async handle(ask) {
      const { deps, entry, caller, body, checkpoint } = ask
      const finding = body.submitted
        ? { submitted: true as const, orderId: body.order_id, costCents: body.total_cost_cents ?? null }
        : { submitted: false as const }
      return one(ask, await settleManifest(deps, entry, caller, getId(ask), finding, checkpoint))
    },
  }),
  tenantEndpoint({
    method: 'PATCH',
    url: `${ONE}/discard`,
    operationId: 'discardManifest',
    audit: 'own',
    access: 'manifests',
    tag: 'Manifests',
    summary: 'Discard a manifest that nobody will submit',
    description:
      'Ends a draft, a manifest that the carrier refused, or one that never reached the carrier (`submit_attempt` is `waiting`). Its deliveries can go on another manifest. Nothing is sent to the carrier. Discarding it again changes nothing.',
    body: EmptyBody,
    bodyOptional: true,
    exampleCall: { status: { code: 409, because: 'the carrier has the manifest of the example' } },
    answers: { 200: { description: 'The discarded manifest.', schema: ManifestAnswer } },
    refusals: ['manifest_not_discardable'],
    async handle(ask) {
      const { deps, entry, caller, audit } = ask
      const { full, isChanged } = await discardManifest(deps, entry, caller, getId(ask), audit.record)
      if (!isChanged) audit.nothing()
      return one(ask, full)
    },
  }),
]

type ManifestBodyFields = Pick<
  z.infer<typeof StoreManifestBody>,
  | 'store_id'
  | 'store_reference'
  | 'contains_dangerous_goods'
  | 'generate_order_summary'
  | 'delivery_references'
>

function toManifestRequest(
  body: ManifestBodyFields,
): Omit<ManifestRequest, 'group' | 'markReady' | 'submit'> {
  return {
    storeId: body.store_id ?? null,
    storeReference: body.store_reference ?? null,
    dangerousGoods: body.contains_dangerous_goods ?? null,
    references: body.delivery_references ?? null,
    wantsSummary: body.generate_order_summary ?? false,
  }
}

async function createManifests(ask: TenantRequest, request: ManifestRequest) {
  const { deps, entry, caller, idempotency, audit } = ask
  const manifests = await manifestStore(deps, entry, caller, request, idempotency, audit.record)
  const data = await Promise.all(manifests.map((full) => manifestData(deps, entry, full)))
  const [only, ...others] = manifests
  // Several manifests have no single path for `Location`.
  if (!only || others.length > 0) return json(201, { data })
  return created(`/${entry.account.id}/manifests/${only.manifest.id}`, { data })
}

async function one(
  { deps, entry }: TenantRequest,
  full: Awaited<ReturnType<typeof getManifest>>,
  status = 200,
) {
  return json(status, { data: await manifestData(deps, entry, full) })
}

function getId({ params }: TenantRequest): string {
  return params.manifest_id as string
}

/** The manifest for a response, with a fresh link to its summary if one was requested. */
async function manifestData(
  deps: HttpDeps,
  entry: AccountEntry,
  full: FullManifest,
): Promise<Record<string, unknown>> {
  const { accountId, id, storeId, accountVersion, wantsSummary } = full.manifest
  const store =
    entry.account.storeById.get(storeId) ??
    (await deps.accounts.atVersion(accountId, accountVersion)).storeById.get(storeId)
  const path = `/${encodeURIComponent(accountId)}/manifests/${id}/order-summary`
  return fromManifest(full, {
    storeReference: store?.reference ?? storeId,
    summaryUrl: wantsSummary ? signedUrl(deps, path) : null,
  })
}

/** Converts a manifest into the API's Manifest. Fields without a value are undefined, which JSON omits. */
function fromManifest(
  { manifest, deliveries }: FullManifest,
  { storeReference, summaryUrl }: { storeReference: string; summaryUrl: string | null },
): Record<string, unknown> {
  const { orderId, costCents, submittedAtMs, items } = manifest
  const manifested = manifest.state === 'submitted' ? manifest.deliveries : 0
  return {
    id: manifest.id,
    manifest_group: manifest.group,
    carrier_provider: manifest.carrierName,
    store_id: manifest.storeId,
    store_reference: storeReference,
    status: manifest.state,
    status_reason: manifest.stateReason ?? undefined,
    status_remedy: findStatusRemedy(manifest) ?? undefined,
    submit_attempt: getSubmitAttempt(manifest) ?? undefined,
    contains_dangerous_goods: manifest.dangerousGoods,
    counts: { deliveries: manifest.deliveries, manifested, items },
    delivery_ids: deliveries.map(({ deliveryId }) => deliveryId),
    external_ref: {
      order_id: orderId ?? undefined,
      order_summary: {
        number_of_items: items,
        total_cost: costCents === null ? undefined : costCents / 100,
      },
    },
    manifest_deliveries: deliveries.map((one) => ({
      delivery_id: one.deliveryId,
      reference: one.reference,
      consignment_number: one.consignmentNumber,
      moved_to_another_carrier: one.movedToAnotherCarrier || undefined,
      not_eligible: one.notEligible ?? undefined,
      tracking_details: { article_id: one.articleIds[0], article_ids: one.articleIds },
    })),
    order_summary_url: summaryUrl ?? undefined,
    created_at: recordTime(manifest.createdAtMs),
    updated_at: recordTime(manifest.updatedAtMs),
    submitted_at: submittedAtMs === null ? undefined : recordTime(submittedAtMs),
  }
}

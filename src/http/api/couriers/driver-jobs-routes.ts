import type { z } from 'zod'
import { parseTimestamp, toInstantMs } from '../../../domain/calendar/timestamp.ts'
import { zone } from '../../../domain/calendar/zone.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import type { CollectedParcel } from '../../../domain/own-network/left-behind.ts'
import { acceptJob, refuseJob } from '../../../operations/own-couriers/answer-job.ts'
import { deliverJob, type ProofInput, rawProofIssues } from '../../../operations/own-couriers/deliver-job.ts'
import { driverJob, driverJobs } from '../../../operations/own-couriers/driver-jobs.ts'
import type { ActingDriver, Driver } from '../../../operations/own-couriers/driver-session.ts'
import type { JobEnd } from '../../../operations/own-couriers/end-job.ts'
import type { MovedJob } from '../../../operations/own-couriers/move-job.ts'
import { placeDriver } from '../../../operations/own-couriers/place-driver.ts'
import {
  approachJob,
  bringBackJob,
  collectJob,
  failJob,
  rawFailIssues,
  returnJob,
} from '../../../operations/own-couriers/work-job.ts'
import type { AuditScope } from '../../contract/audit-trail.ts'
import { type BodyLimit, PROOF_BODY, REFERENCES_BODY } from '../../contract/body-limit.ts'
import {
  type DriverRequest,
  driverEndpoint,
  type Endpoint,
  type ExampleCall,
  type HttpResponse,
  json,
} from '../../contract/endpoint.ts'
import {
  AcceptBody,
  CollectBody,
  DeliverBody,
  FailBody,
  JobAnswer,
  JobEndAnswer,
  JobsAnswer,
  LocationBody,
  RefuseBody,
  StepBody,
} from './driver-schema.ts'
import { fromJob } from './job-wire.ts'

const LIST = '/driver/jobs'
const ONE = `${LIST}/:job_id`
const shared = { access: 'driver', tag: 'Own network' } as const
const JOB = { 200: { description: 'The current job.', schema: JobAnswer } }
const END = { 200: { description: 'The result of the job.', schema: JobEndAnswer } }

export const DRIVER_JOB_ENDPOINTS: readonly Endpoint[] = [
  driverEndpoint({
    ...shared,
    method: 'GET',
    url: LIST,
    operationId: 'listDriverJobs',
    summary: 'List the driver’s offers and jobs, by due time',
    answers: {
      200: {
        description: 'The first 200 jobs. If `has_more` is true, further jobs appear when these are done.',
        schema: JobsAnswer,
      },
    },
    refusals: [],
    async handle({ deps, driver }) {
      const { jobs, hasMore } = await driverJobs(deps, driver)
      return json(200, {
        data: jobs.map((job) => fromJob(job)),
        pagination: { next: null, has_more: hasMore },
      })
    },
  }),
  driverEndpoint({
    ...shared,
    method: 'GET',
    url: ONE,
    operationId: 'getDriverJob',
    summary: 'Get a job by its id or by the token of its link',
    description: 'A browser that opens the link from the SMS is redirected to the driver app.',
    answers: { ...JOB, 303: { description: 'A redirect to the driver app.', media: ['text/html'] } },
    refusals: [],
    handle: async ({ deps, driver, params }) =>
      json(200, { data: fromJob(await driverJob(deps, driver, params.job_id as string)) }),
  }),
  step('accept', {
    operationId: 'acceptJob',
    summary: 'Accept a job',
    description: 'The delivery gets a consignment number and can no longer be amended.',
    body: AcceptBody,
    answers: JOB,
    refusals: ['version_conflict'],
    handle: async ({ deps, driver, params, body, audit }) =>
      jobAnswer(
        audit,
        await acceptJob(deps, acting(driver, audit), params.job_id as string, body?.version ?? null),
      ),
  }),
  step('refuse', {
    operationId: 'refuseJob',
    summary: 'Refuse an offer, or return a job that is not collected yet',
    body: RefuseBody,
    exampleCall: { path: { job_id: '$REFUSED_JOB_ID' } },
    answers: END,
    handle: async ({ deps, driver, params, body, audit }) =>
      endAnswer(
        audit,
        await refuseJob(deps, acting(driver, audit), params.job_id as string, body?.reason ?? null),
      ),
  }),
  step('approach', {
    operationId: 'approachJob',
    summary: 'Report arrival at the pickup',
    body: StepBody,
    answers: JOB,
    handle: async ({ deps, driver, params, body, audit }) =>
      jobAnswer(
        audit,
        await approachJob(deps, acting(driver, audit), params.job_id as string, toMs(body?.at)),
      ),
  }),
  step('collect', {
    operationId: 'collectJob',
    summary: 'Report all or some parcels as collected',
    description:
      'Parcels that were not collected are recorded as an exception of the delivery, with name and quantity.',
    body: CollectBody,
    bodyLimit: REFERENCES_BODY,
    answers: JOB,
    handle: async ({ deps, driver, params, body, audit }) =>
      jobAnswer(
        audit,
        await collectJob(deps, acting(driver, audit), params.job_id as string, {
          taken: body?.parcels ?? body?.parcel_references?.map(toWholeRow) ?? null,
          atMs: toMs(body?.at),
        }),
      ),
  }),
  driverEndpoint({
    ...shared,
    method: 'POST',
    url: `${ONE}/deliver`,
    operationId: 'deliverJob',
    summary: 'Report the delivery with a photo, a signature or the PIN',
    description:
      'The phone generates the proof’s id. A proof that could not be sent without signal may be sent again; it is stored once.',
    body: DeliverBody,
    moreIssues: ({ body }) => rawProofIssues(body),
    bodyLimit: PROOF_BODY,
    example: { proof: { id: 'proof-$RUN', kind: 'photo', place: 'at_door', image: '$PHOTO' } },
    answers: END,
    refusals: ['job_not_open'],
    async handle({ deps, driver, params, body, audit }) {
      const proof = toProof(body)
      const end = await deliverJob(deps, acting(driver, audit), params.job_id as string, proof)
      return endAnswer(audit, end, { proof_id: proof.proofId })
    },
  }),
  driverEndpoint({
    ...shared,
    method: 'POST',
    url: `${ONE}/fail`,
    operationId: 'failJob',
    summary: 'Report a failed delivery attempt',
    description:
      'With `nobody_home`, `cannot_get_in` or `other`, the driver may try again, or bring the parcels back (`bring-back`). With the other reasons, the parcels go back to the store at once.',
    body: FailBody,
    moreIssues: ({ body }) => rawFailIssues(body),
    bodyLimit: PROOF_BODY,
    example: { reason: 'refused', note: 'The customer has moved away.' },
    exampleCall: { path: { job_id: '$FAILED_JOB_ID' } },
    answers: END,
    refusals: ['job_not_open'],
    async handle({ deps, driver, params, body, audit }) {
      const { id: failId = null, reason, note = null, image = null, lat, lng, at } = body
      const position = lat === undefined || lng === undefined ? null : { lat, lng }
      const failed = { failId, reason, note, image, position, atMs: toMs(at) }
      return endAnswer(audit, await failJob(deps, acting(driver, audit), params.job_id as string, failed))
    },
  }),
  step('bring-back', {
    operationId: 'bringBackJob',
    summary: 'Bring parcels back that could not be delivered',
    description: 'The delivery becomes `pending_return`. At the store, report `return`.',
    body: StepBody,
    exampleCall: { path: { job_id: '$FAILED_JOB_ID' } },
    answers: JOB,
    handle: async ({ deps, driver, params, body, audit }) =>
      jobAnswer(
        audit,
        await bringBackJob(deps, acting(driver, audit), params.job_id as string, toMs(body?.at)),
      ),
  }),
  step('return', {
    operationId: 'returnJob',
    summary: 'Report the return to the store',
    body: StepBody,
    exampleCall: { path: { job_id: '$FAILED_JOB_ID' } },
    answers: END,
    handle: async ({ deps, driver, params, body, audit }) =>
      endAnswer(audit, await returnJob(deps, acting(driver, audit), params.job_id as string, toMs(body?.at))),
  }),
  driverEndpoint({
    ...shared,
    method: 'POST',
    url: '/driver/location',
    operationId: 'placeDriver',
    unaudited: 'A position changes nothing else and arrives every few seconds.',
    summary: 'Report the driver’s position',
    description: 'Drover keeps only the newest position.',
    body: LocationBody,
    example: { lat: -37.8, lng: 144.97 },
    answers: { 204: { description: 'The position is stored.' } },
    refusals: [],
    async handle({ deps, driver, body }) {
      const { lat, lng, accuracy_m: accuracyM = null, at } = body
      await placeDriver(deps, driver, { lat, lng, accuracyM, atMs: toMs(at) })
      return { status: 204, body: '' }
    },
  }),
]

type StepEndpoint<B extends z.ZodType> = {
  operationId: string
  summary: string
  description?: string
  body: B
  bodyLimit?: BodyLimit
  exampleCall?: ExampleCall
  answers: Endpoint['answers']
  refusals?: readonly RefusalCode[]
  handle(ask: DriverRequest<z.infer<B> | undefined>): Promise<HttpResponse>
}

/** A step whose body is optional. Refuses `job_not_open` if it is not the next step. */
function step<B extends z.ZodType>(verb: string, { refusals = [], ...declared }: StepEndpoint<B>): Endpoint {
  return driverEndpoint({
    ...shared,
    ...declared,
    method: 'POST',
    url: `${ONE}/${verb}`,
    bodyOptional: true,
    refusals: ['job_not_open', ...refusals],
  })
}

function jobAnswer(audit: AuditScope, job: MovedJob): HttpResponse {
  if (!job.moved) audit.nothing()
  return json(200, { data: fromJob(job) })
}

function endAnswer(audit: AuditScope, end: JobEnd, more: object = {}): HttpResponse {
  if (!end.moved) audit.nothing()
  const { delivery_id: id, reference, status } = end.row
  return json(200, { data: { id, reference, status, ...more } })
}

function toWholeRow(reference: string): CollectedParcel {
  return { reference, quantity: 'all' }
}

function acting(driver: Driver, { record }: AuditScope): ActingDriver {
  return { ...driver, record }
}

function toProof({ proof }: DeliverBody): ProofInput {
  const { lat, lng } = proof
  return {
    proofId: proof.id,
    kind: proof.kind,
    image: proof.image ?? null,
    strokes: proof.strokes ?? null,
    pin: proof.pin ?? null,
    signedBy: proof.signed_by ?? null,
    place: proof.place ?? null,
    idChecked: proof.id_checked ?? false,
    idKind: proof.id_kind ?? null,
    position: lat === undefined || lng === undefined ? null : { lat, lng },
    atMs: toMs(proof.at),
  }
}

/** The schema requires an offset, so the time zone does not matter. */
function toMs(text: string | undefined): number | null {
  const timestamp = text === undefined ? null : parseTimestamp(text)
  return timestamp && toInstantMs(timestamp, zone('UTC'))
}

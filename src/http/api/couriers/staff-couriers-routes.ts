import { rawCourierIssues } from '../../../domain/own-network/courier-issues.ts'
import { courierPhoneIssues } from '../../../domain/quoting/resolve/resolve-delivery.ts'
import { record, text } from '../../../domain/untyped-json.ts'
import { toResolveContext } from '../../../operations/directory/caller.ts'
import { assignCourier } from '../../../operations/own-couriers/assign-courier.ts'
import {
  addStaffCourier,
  COURIERS_A_PAGE,
  changeStaffCourier,
  listStaffCouriers,
  removeStaffCourier,
  type StaffCourier,
} from '../../../operations/own-couriers/staff-couriers.ts'
import { type Endpoint, json, tenantEndpoint } from '../../contract/endpoint.ts'
import { deliveryKept } from '../deliveries/delivery-answer.ts'
import { DeliveryAnswer } from '../deliveries/delivery-schema.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { NamedQuery } from '../deliveries/lists-schema.ts'
import {
  AssignBody,
  ChangeStaffCourierBody,
  PageQuery,
  StaffCourierAnswer,
  StaffCourierBody,
  StaffCouriersAnswer,
} from './staff-courier-schema.ts'

const LIST = '/:tenant_id/staff-couriers'
const ONE = `${LIST}/:courier_id`

export const STAFF_COURIER_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'GET',
    url: LIST,
    operationId: 'listStaffCouriers',
    access: 'deliveries:read',
    tag: 'Own network',
    summary: 'List staff couriers, in the order in which they were added',
    description:
      'Couriers of the account document are added when it is applied, others on their first delivery. A client that is limited to some stores sees only the couriers of those stores.',
    query: PageQuery,
    answers: { 200: { description: 'One page of at most 50 couriers.', schema: StaffCouriersAnswer } },
    refusals: [],
    async handle({ deps, entry, caller, query }) {
      const page = query.page ?? 1
      const { couriers, total } = await listStaffCouriers(deps, entry, caller, page)
      const total_pages = Math.ceil(total / COURIERS_A_PAGE)
      const pagination = { page, per_page: COURIERS_A_PAGE, total, total_pages }
      return json(200, { data: couriers.map(fromCourier), pagination })
    },
  }),
  tenantEndpoint({
    method: 'POST',
    url: LIST,
    operationId: 'addStaffCourier',
    access: 'deliveries:write',
    tag: 'Own network',
    summary: 'Add a staff courier to a store’s list',
    body: StaffCourierBody,
    moreIssues: ({ entry, caller, body }) =>
      rawCourierIssues(entry.account, body, toResolveContext(entry, caller).sight),
    example: { store_reference: 'fitzroy', phone: '+61491570158', driver_name: 'Ava Lind' },
    answers: { 201: { description: 'The new courier.', schema: StaffCourierAnswer } },
    refusals: ['duplicate_courier'],
    async handle({ deps, entry, caller, body, audit, keep }) {
      const courier = {
        storeId: body.store_id ?? null,
        storeReference: body.store_reference ?? null,
        phone: body.phone,
        driverName: body.driver_name,
        driverId: body.driver_id ?? null,
        active: body.active ?? true,
      }
      return addStaffCourier(deps, entry, caller, courier, async (db, added) => {
        await audit.record(db, { accountId: entry.account.id, object: added.courierId })
        const answer = json(201, { data: fromCourier(added) })
        await keep(db, answer)
        return answer
      })
    },
  }),
  tenantEndpoint({
    method: 'PATCH',
    url: ONE,
    operationId: 'changeStaffCourier',
    access: 'deliveries:write',
    tag: 'Own network',
    summary: 'Change or deactivate a staff courier',
    description:
      'Deactivating a courier logs them out at once and stops new jobs. Their uncollected jobs go back to the store and become `on_hold`. A courier whose phone number changes keeps their jobs.',
    body: ChangeStaffCourierBody,
    moreIssues: ({ entry, body }) => courierPhoneIssues(entry.account, 'phone', text(record(body).phone)),
    example: { driver_name: 'Kim Lindqvist' },
    answers: { 200: { description: 'The courier after the change.', schema: StaffCourierAnswer } },
    refusals: ['duplicate_courier'],
    async handle({ deps, entry, caller, params, body, audit }) {
      const change = {
        ...(body.phone === undefined ? {} : { phone: body.phone }),
        ...(body.driver_name === undefined ? {} : { driverName: body.driver_name }),
        ...(body.driver_id === undefined ? {} : { driverId: body.driver_id }),
        ...(body.active === undefined ? {} : { active: body.active }),
      }
      const id = params.courier_id as string
      const changed = await changeStaffCourier(deps, entry, caller, id, change, audit.record)
      return json(200, { data: fromCourier(changed) })
    },
  }),
  tenantEndpoint({
    method: 'DELETE',
    url: ONE,
    operationId: 'removeStaffCourier',
    access: 'deliveries:write',
    tag: 'Own network',
    summary: 'Remove a staff courier from the list',
    description:
      'Logs the courier out at once. Their uncollected jobs go back to the store. A new job adds the courier again; applying the account document does not.',
    answers: { 204: { description: 'The courier is removed.' } },
    refusals: [],
    async handle({ deps, entry, caller, params, audit }) {
      await removeStaffCourier(deps, entry, caller, params.courier_id as string, audit.record)
      return { status: 204, body: '' }
    },
  }),
  tenantEndpoint({
    method: 'PATCH',
    url: '/:tenant_id/deliveries/:delivery_id_or_reference/assign',
    operationId: 'assignDelivery',
    access: 'deliveries:write',
    tag: 'Own network',
    summary: 'Assign a delivery to a staff courier',
    description:
      'A delivery can be assigned while it is waiting or `on_hold`, or while its staff courier has not collected it. The delivery becomes `requested` again, and Drover offers it to the new courier by SMS. A driver who had accepted it is notified of the cancellation.',
    query: NamedQuery,
    body: AssignBody,
    moreIssues: ({ entry, body }) =>
      courierPhoneIssues(
        entry.account,
        'staff_courier.phone',
        text(record(record(body).staff_courier).phone),
      ),
    example: { staff_courier: { phone: '+61491570157', driver_name: 'Mia Tran' } },
    exampleCall: { path: { delivery_id_or_reference: '$ASSIGNED_ID' } },
    answers: { 200: { description: 'The delivery, which is `requested`.', schema: DeliveryAnswer } },
    refusals: ['ambiguous_reference', 'not_assignable', 'no_service_available', 'version_conflict'],
    async handle(ask) {
      const { deps, entry, caller, params, query, body } = ask
      const { phone, driver_name: driverName, driver_id: driverId = null } = body.staff_courier
      const name = {
        idOrReference: params.delivery_id_or_reference as string,
        storeReference: query.store_reference ?? null,
      }
      const courier = { phone, driverName, driverId }
      return assignCourier(deps, entry, caller, name, courier, deliveryKept(ask))
    },
  }),
]

function fromCourier(courier: StaffCourier) {
  return {
    id: courier.courierId,
    store_id: courier.storeId,
    phone: courier.phone,
    driver_name: courier.driverName,
    driver_id: courier.driverId,
    active: courier.active,
    last_seen_at: courier.lastSeenAtMs === null ? null : recordTime(courier.lastSeenAtMs),
  }
}

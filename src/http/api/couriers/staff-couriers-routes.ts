import { rawCourierIssues } from '../../../domain/own-network/courier-issues.ts'
import { courierPhoneIssues } from '../../../domain/quoting/resolve/resolve-delivery.ts'
import { record, text } from '../../../domain/untyped-json.ts'
import { contextOf } from '../../../operations/context/caller.ts'
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
  NewStaffCourierBody,
  PageQuery,
  StaffCourierAnswer,
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
    summary: 'List the staff couriers, in the order they joined',
    description:
      'Those of the account document join when it is applied, others on their first delivery. A store-limited client sees its stores’.',
    query: PageQuery,
    answers: { 200: { description: 'One page of 50.', schema: StaffCouriersAnswer } },
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
    body: NewStaffCourierBody,
    moreIssues: ({ entry, caller, body }) =>
      rawCourierIssues(entry.account, body, contextOf(entry, caller).sight),
    example: { store_reference: 'fitzroy', phone: '+61491570158', driver_name: 'Ava Lind' },
    answers: { 201: { description: 'The courier.', schema: StaffCourierAnswer } },
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
    summary: 'Change a staff courier, or switch him off',
    description:
      'One who is switched off is logged out at once and gets no more jobs; those that he has not collected go back to the store, `on_hold`. Under another number he keeps them.',
    body: ChangeStaffCourierBody,
    moreIssues: ({ entry, body }) => courierPhoneIssues(entry.account, 'phone', text(record(body).phone)),
    example: { driver_name: 'Kim Lindqvist' },
    answers: { 200: { description: 'The courier as he stands.', schema: StaffCourierAnswer } },
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
    summary: 'Take a staff courier off the list',
    description:
      'He is logged out at once, and what he has not collected goes back to the store. The account document does not bring him back; a new job does.',
    answers: { 204: { description: 'Gone.' } },
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
    summary: 'Give a delivery to a staff courier',
    description:
      'One that waits or is on hold, or whose courier has not collected it yet: it is requested again and offered to the new one by SMS; a driver who had taken it is told that it is called off.',
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
    answers: { 200: { description: 'The delivery, requested.', schema: DeliveryAnswer } },
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

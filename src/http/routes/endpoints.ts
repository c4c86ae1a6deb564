import type { Endpoint } from '../endpoint.ts'
import { ACCOUNT_ENDPOINTS } from './admin-accounts.ts'
import { CARRIER_CHECK_ENDPOINTS } from './admin-carriers.ts'
import { CLIENT_ENDPOINTS } from './admin-clients.ts'
import { ERASURE_ENDPOINTS } from './admin-erasure.ts'
import { SANDBOX_ENDPOINTS } from './admin-sandbox.ts'
import { SECRET_ENDPOINTS } from './admin-secrets.ts'
import { ALLOCATION_ENDPOINTS } from './allocation.ts'
import { AUDIT_ENDPOINTS } from './audit-log.ts'
import { CARRIER_SWITCH_ENDPOINTS } from './carrier-switches.ts'
import { CARRIER_ENDPOINTS } from './carriers.ts'
import { courierLinkEndpoints } from './courier-links.ts'
import { courierPickupEndpoints } from './courier-pickup.ts'
import { COURIER_REPORT_ENDPOINTS } from './courier-reports.ts'
import { DELIVERY_ENDPOINTS } from './deliveries.ts'
import { DELIVERY_RECORD_ENDPOINTS } from './delivery-record.ts'
import { docsEndpoints } from './docs.ts'
import { DOCUMENT_ENDPOINTS } from './documents.ts'
import { DRIVER_JOB_ENDPOINTS } from './driver-jobs.ts'
import { driverLoginEndpoints } from './driver-login.ts'
import { EVENT_ENDPOINTS } from './events.ts'
import { INSIGHT_ENDPOINTS } from './insights.ts'
import { LINK_ENDPOINTS } from './links.ts'
import { MANIFEST_ENDPOINTS } from './manifests.ts'
import { MESSAGE_ENDPOINTS } from './messages.ts'
import { publicLinkEndpoints } from './public-links.ts'
import { QUOTE_ENDPOINTS } from './quotes.ts'
import { SECOND_FACTOR_ENDPOINTS } from './second-factor.ts'
import { SERVICE_ENDPOINTS } from './service.ts'
import { SESSION_ENDPOINTS } from './session.ts'
import { STAFF_COURIER_ENDPOINTS } from './staff-couriers.ts'
import { STORE_ENDPOINTS } from './stores.ts'
import { tokenEndpoints } from './tokens.ts'
import { trackingEndpoints } from './tracking.ts'
import { USER_ENDPOINTS } from './users.ts'
import { WEBHOOK_ENDPOINTS } from './webhook-endpoints.ts'
import { WEBHOOK_HISTORY_ENDPOINTS } from './webhook-history.ts'

/** Everything that is served, in the order of the documentation. */
export function allEndpoints(): Endpoint[] {
  const all: Endpoint[] = [
    ...tokenEndpoints(),
    // Its examples use the session that the examples after them end.
    ...SECOND_FACTOR_ENDPOINTS,
    ...SESSION_ENDPOINTS,
    ...USER_ENDPOINTS,
    ...AUDIT_ENDPOINTS,
    ...DELIVERY_ENDPOINTS,
    ...DELIVERY_RECORD_ENDPOINTS,
    ...QUOTE_ENDPOINTS,
    ...ALLOCATION_ENDPOINTS,
    ...MANIFEST_ENDPOINTS,
    ...DOCUMENT_ENDPOINTS,
    ...INSIGHT_ENDPOINTS,
    ...STORE_ENDPOINTS,
    ...STAFF_COURIER_ENDPOINTS,
    ...driverLoginEndpoints(),
    ...DRIVER_JOB_ENDPOINTS,
    ...EVENT_ENDPOINTS,
    ...WEBHOOK_ENDPOINTS,
    ...WEBHOOK_HISTORY_ENDPOINTS,
    ...LINK_ENDPOINTS,
    ...publicLinkEndpoints(),
    ...trackingEndpoints(),
    ...MESSAGE_ENDPOINTS,
    ...CARRIER_ENDPOINTS,
    ...COURIER_REPORT_ENDPOINTS,
    ...courierLinkEndpoints(),
    ...courierPickupEndpoints(),
    ...CARRIER_CHECK_ENDPOINTS,
    ...CARRIER_SWITCH_ENDPOINTS,
    ...ACCOUNT_ENDPOINTS,
    ...CLIENT_ENDPOINTS,
    ...SECRET_ENDPOINTS,
    ...ERASURE_ENDPOINTS,
    ...SANDBOX_ENDPOINTS,
    ...SERVICE_ENDPOINTS,
    ...docsEndpoints(() => all),
  ]
  return all
}

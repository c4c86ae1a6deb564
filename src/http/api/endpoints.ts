import type { Endpoint } from '../contract/endpoint.ts'
import { ACCOUNT_ENDPOINTS } from './admin/admin-accounts-routes.ts'
import { CARRIER_CHECK_ENDPOINTS } from './admin/admin-carriers-routes.ts'
import { CLIENT_ENDPOINTS } from './admin/admin-clients-routes.ts'
import { ERASURE_ENDPOINTS } from './admin/admin-erasure-routes.ts'
import { SANDBOX_ENDPOINTS } from './admin/admin-sandbox-routes.ts'
import { SECRET_ENDPOINTS } from './admin/admin-secrets-routes.ts'
import { ALLOCATION_ENDPOINTS } from './admin/allocation-routes.ts'
import { LOGO_ENDPOINTS } from './admin/logos-routes.ts'
import { OPENID_PROVIDER_ENDPOINTS } from './admin/openid-provider-routes.ts'
import { RATE_CARD_ENDPOINTS } from './admin/rate-cards-routes.ts'
import { SIMULATION_ENDPOINTS } from './admin/simulation-routes.ts'
import { assistantTokenEndpoints } from './assistants/assistant-token-routes.ts'
import { ASSISTANT_ENDPOINTS } from './assistants/assistants-routes.ts'
import { OWN_ASSISTANT_ENDPOINTS } from './assistants/own-assistants-routes.ts'
import { driverLoginEndpoints } from './auth/driver-login-routes.ts'
import { OPENID_ENDPOINTS } from './auth/openid-routes.ts'
import { OWN_SESSION_ENDPOINTS } from './auth/own-sessions-routes.ts'
import { OWN_USER_ENDPOINTS } from './auth/own-user-routes.ts'
import { PASSKEY_ENDPOINTS, PASSKEY_LOG_IN_ENDPOINTS } from './auth/passkey-routes.ts'
import { SECOND_FACTOR_ENDPOINTS } from './auth/second-factor-routes.ts'
import { SESSION_ENDPOINTS } from './auth/session-routes.ts'
import { tokenEndpoints } from './auth/tokens-routes.ts'
import { CARRIER_SWITCH_ENDPOINTS } from './couriers/carrier-switches-routes.ts'
import { CARRIER_ENDPOINTS } from './couriers/carriers-routes.ts'
import { courierLinkEndpoints } from './couriers/courier-links-routes.ts'
import { courierPickupEndpoints } from './couriers/courier-pickup-routes.ts'
import { COURIER_REPORT_ENDPOINTS } from './couriers/courier-reports-routes.ts'
import { DRIVER_JOB_ENDPOINTS } from './couriers/driver-jobs-routes.ts'
import { STAFF_COURIER_ENDPOINTS } from './couriers/staff-couriers-routes.ts'
import { DELIVERY_ENDPOINTS } from './deliveries/deliveries-routes.ts'
import { DELIVERY_RECORD_ENDPOINTS } from './deliveries/delivery-record-routes.ts'
import { EXTRA_BOOKING_ENDPOINTS } from './deliveries/extra-bookings-routes.ts'
import { QUOTE_ENDPOINTS } from './deliveries/quotes-routes.ts'
import { DOCUMENT_ENDPOINTS } from './documents/documents-routes.ts'
import { LINK_ENDPOINTS } from './links/links-routes.ts'
import { publicLinkEndpoints } from './links/public-links-routes.ts'
import { MANIFEST_ENDPOINTS } from './manifests/manifests-routes.ts'
import { mcpEndpoints } from './mcp/mcp-routes.ts'
import { MESSAGE_ENDPOINTS } from './messages/messages-routes.ts'
import { TEST_MESSAGE_ENDPOINTS } from './messages/test-message-routes.ts'
import { AUDIT_ENDPOINTS } from './people/audit-log-routes.ts'
import { INSIGHT_ENDPOINTS } from './people/insights-routes.ts'
import { USER_ENDPOINTS } from './people/users-routes.ts'
import { docsEndpoints } from './service/docs-routes.ts'
import { SERVICE_ENDPOINTS } from './service/service-routes.ts'
import { STORE_ENDPOINTS } from './service/stores-routes.ts'
import { trackingEndpoints } from './tracking/tracking-routes.ts'
import { EVENT_ENDPOINTS } from './webhooks/events-routes.ts'
import { WEBHOOK_ENDPOINTS } from './webhooks/webhook-endpoints-routes.ts'
import { WEBHOOK_HISTORY_ENDPOINTS } from './webhooks/webhook-history-routes.ts'

/** All endpoints, in the order of the documentation. */
export function allEndpoints(): Endpoint[] {
  const all: Endpoint[] = [
    ...tokenEndpoints(),
    ...assistantTokenEndpoints(),
    // Before the session endpoints, because their examples end the session that these examples use.
    ...OWN_ASSISTANT_ENDPOINTS,
    ...SECOND_FACTOR_ENDPOINTS,
    ...PASSKEY_ENDPOINTS,
    ...PASSKEY_LOG_IN_ENDPOINTS,
    ...OWN_SESSION_ENDPOINTS,
    ...OWN_USER_ENDPOINTS,
    ...OPENID_ENDPOINTS,
    ...SESSION_ENDPOINTS,
    ...USER_ENDPOINTS,
    ...ASSISTANT_ENDPOINTS,
    ...AUDIT_ENDPOINTS,
    ...DELIVERY_ENDPOINTS,
    ...DELIVERY_RECORD_ENDPOINTS,
    ...EXTRA_BOOKING_ENDPOINTS,
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
    ...OPENID_PROVIDER_ENDPOINTS,
    ...CARRIER_SWITCH_ENDPOINTS,
    ...ACCOUNT_ENDPOINTS,
    ...CLIENT_ENDPOINTS,
    ...SECRET_ENDPOINTS,
    ...RATE_CARD_ENDPOINTS,
    ...LOGO_ENDPOINTS,
    ...TEST_MESSAGE_ENDPOINTS,
    ...SIMULATION_ENDPOINTS,
    ...ERASURE_ENDPOINTS,
    ...SANDBOX_ENDPOINTS,
    ...SERVICE_ENDPOINTS,
    ...docsEndpoints(() => all),
    ...mcpEndpoints(() => all),
  ]
  return all
}

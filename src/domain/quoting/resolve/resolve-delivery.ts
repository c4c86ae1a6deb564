import type { Account, Store } from '../../account/account.ts'
import type { DeliveryContent } from '../../delivery/delivery.ts'
import type { DeliveryRequest } from '../../delivery/request.ts'
import type { Issue } from '../../errors.ts'
import { isCountry, toE164 } from '../../phone.ts'
import { courierNumberIssues, customerNumberIssues } from '../../sms-number.ts'
import type { Job } from '../job.ts'
import { type ResolveContext, resolveJob } from './resolve-quote.ts'

export type ResolvedDelivery = {
  job: Job
  content: DeliveryContent
  store: Store
  readyForPickupAtMs: number
}

/** A delivery as it will be stored and decided, or every mistake that needs the account to detect. */
export function resolveDelivery(
  account: Account,
  request: DeliveryRequest,
  context: ResolveContext,
): ResolvedDelivery | { issues: Issue[] } {
  const resolved = resolveJob(account, request, 'delivery', context)
  const { phone: customerPhone, country } = request.customer
  const phone = toE164(customerPhone, country ?? 'AU')
  const courierPhone = request.staffCourier && toE164(request.staffCourier.phone)
  const issues = [
    ...('issues' in resolved ? resolved.issues : []),
    ...customerIssues(customerPhone, country),
    ...(request.staffCourier && courierPhone === null ? [notAPhone('staff_courier.phone')] : []),
  ]
  if ('issues' in resolved || phone === null || issues.length > 0) return { issues }

  const { job } = resolved
  return {
    job,
    store: job.store,
    // The schema requires it of a delivery.
    readyForPickupAtMs: job.readyForPickupAtMs ?? context.nowMs,
    content: toContent(request, job, phone, courierPhone),
  }
}

function toContent(
  request: DeliveryRequest,
  job: Job,
  phone: string,
  courierPhone: string | null,
): DeliveryContent {
  return {
    deliveryMode: job.mode,
    requestedType: request.deliveryType,
    ignoreBufferTime: request.ignoreBufferTime,
    useDynamicRfp: request.useDynamicRfp,
    authorityToLeave: request.authorityToLeave,
    specialInstructions: request.specialInstructions,
    pickupInstructions: request.pickupInstructions,
    priceCentsTotalValue: request.priceCentsTotalValue,
    providerOptions: job.pin,
    address: { ...request.address, country: request.address.country.toUpperCase() },
    destination: job.destination,
    customer: { ...request.customer, phone },
    lineItems: request.lineItems,
    parcels: request.parcels,
    productTypes: request.productTypes,
    staffCourier:
      request.staffCourier && courierPhone ? { ...request.staffCourier, phone: courierPhone } : null,
    metadata: request.metadata,
    suppressNotifications: request.suppressNotifications,
    ...(request.sentForms && { sentForms: request.sentForms }),
  }
}

/**
 * Why SMS cannot be sent for a requested delivery. Separate from other mistakes: an older delivery keeps the
 * numbers that it was created with, and a link's customer those of the merchant.
 */
export function numberIssues(
  account: Account,
  { customer, staffCourier, suppressNotifications }: NumbersOf,
): Issue[] {
  const { countries } = account.sms
  const phone = customer && toE164(customer.phone, customer.country ?? 'AU')
  return [
    ...(suppressNotifications ? [] : customerNumberIssues(phone, countries)),
    ...(staffCourier
      ? courierNumberIssues('staff_courier.phone', toE164(staffCourier.phone), countries)
      : []),
  ]
}

export type NumbersOf = {
  customer: { phone: string; country: string | null } | null
  staffCourier: { phone: string } | null
  suppressNotifications: boolean
}

/** Mistakes in a customer's country and phone; empty when they are absent. */
export function customerIssues(phone: string | null, country: string | null): Issue[] {
  if (country !== null && /^[A-Z]{2}$/.test(country) && !isCountry(country)) {
    const message =
      'customer.country is not an ISO 3166-1 alpha-2 code. Write the customer’s country as, for example, AU, NZ or GB.'
    return [{ field: 'customer.country', issue: 'invalid_value', message }]
  }
  if (phone === null || toE164(phone, country ?? 'AU') !== null) return []
  if (country === null || country === 'AU') return [notAPhone('customer.phone')]
  const message = `customer.phone is not a valid phone number in ${country}, the customer.country. Write it as it is dialled there, or with its country: +61 491 570 156.`
  return [{ field: 'customer.phone', issue: 'invalid_value', message }]
}

/** Empty when there is no phone: `null` is not checked here. */
export function phoneIssues(field: string, phone: string | null): Issue[] {
  return phone === null || toE164(phone) !== null ? [] : [notAPhone(field)]
}

/** The same for a courier's phone, which must be able to get SMS. */
export function courierPhoneIssues(account: Account, field: string, phone: string | null): Issue[] {
  const number = phone === null ? null : toE164(phone)
  return [...phoneIssues(field, phone), ...courierNumberIssues(field, number, account.sms.countries)]
}

/** Never repeats the input: callers log errors, and it may be a person's number. */
export function notAPhone(field: string): Issue {
  const message = `${field} is not a phone number. Write it as 0491 570 156, or with its country: +61 491 570 156.`
  return { field, issue: 'invalid_value', message }
}

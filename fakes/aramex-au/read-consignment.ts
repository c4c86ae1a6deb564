import { z } from 'zod'
import type { FakeRequest } from '../fake.ts'
import { jsonOf } from '../input.ts'
import type { Wrong } from './errors.ts'
import { SATCHEL_CENTS } from './prices.ts'

const text = z.string().trim()
const named = text.min(1)
const measure = z.number().positive()

const Address = z.object({
  streetAddress: text.default(''),
  additionalDetails: text.default(''),
  locality: named,
  stateOrProvince: text.default(''),
  postalCode: named,
  country: named,
})
const Contact = z.object({
  contactName: text.default(''),
  businessName: text.default(''),
  phoneNumber: text.default(''),
  email: text.default(''),
  address: Address,
})
const Item = z.object({
  quantity: z.int().min(1).max(255),
  reference: text.default(''),
  packageType: text,
  satchelSize: text.optional(),
  weightDead: measure.optional(),
  length: measure.optional(),
  width: measure.optional(),
  height: measure.optional(),
})
const Asked = z.object({
  conTypeId: z.int().default(1),
  from: Contact.optional(),
  to: Contact,
  instructionsPublic: text.default(''),
  externalRef1: text.default(''),
  externalRef2: text.default(''),
  items: z.array(Item).min(1),
  services: z.array(z.object({ serviceCode: named, serviceItemCode: named })).default([]),
})
export type Asked = z.output<typeof Asked>
export type Item = z.output<typeof Item>

/** Parses a body, for a price or for a booking; returns everything that is wrong with it if it is invalid. */
export function readConsignment(request: FakeRequest, what: 'quote' | 'book'): Asked | readonly Wrong[] {
  const read = Asked.safeParse(inSmall(jsonOf(request)))
  if (!read.success) {
    return read.error.issues.map(({ message, path }) => ({
      code: message.endsWith('received undefined') ? 'VAL_REQ' : 'VAL_INVALID',
      where: path.join('.'),
    }))
  }
  const wrong = [...wrongWithPlace(read.data), ...read.data.items.flatMap(wrongWithItem)]
  if (what === 'book') wrong.push(...lackingForBooking(read.data))
  return wrong.length > 0 ? wrong : read.data
}

function wrongWithPlace({ to }: Asked): Wrong[] {
  return /^\d{4}$/.test(to.address.postalCode) ? [] : [{ code: 'PSC_PC_NF', where: to.address.postalCode }]
}

/** A parcel has dimensions, a satchel a size. */
function wrongWithItem(item: Item): Wrong[] {
  if (item.packageType === 'S') {
    return Object.hasOwn(SATCHEL_CENTS, item.satchelSize ?? '') ? [] : [{ code: 'CON_SAT' }]
  }
  if (item.packageType !== 'P') return [{ code: 'CON_PKG' }]
  const required = ['weightDead', 'length', 'width', 'height'] as const
  return required.flatMap((name) =>
    item[name] === undefined ? [{ code: 'VAL_REQ', where: name } as const] : [],
  )
}

/** The recipient; a reseller also names the sender. */
function lackingForBooking({ to, from, conTypeId }: Asked): Wrong[] {
  const ends = [['to', to] as const, ...(conTypeId === 5 ? [['from', from] as const] : [])]
  return ends.flatMap(([end, contact]) => {
    const lacking = {
      contactName: contact?.contactName,
      phoneNumber: contact?.phoneNumber,
      'address.streetAddress': contact?.address.streetAddress,
    }
    return Object.entries(lacking).flatMap(([field, value]) =>
      value ? [] : [{ code: 'VAL_REQ', where: `${end}.${field}` } as const],
    )
  })
}

/** Names are accepted in either case: their clients write `To` and `to`. */
function inSmall(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSmall)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.charAt(0).toLowerCase() + name.slice(1),
      inSmall(inner),
    ]),
  )
}

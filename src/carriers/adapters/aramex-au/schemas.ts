import { z } from 'zod'
import { parseTimestamp, toInstantMs } from '../../../domain/calendar/timestamp.ts'
import { zone } from '../../../domain/calendar/zone.ts'
import { carrierCode, dollarsAsCents, eachOf } from '../../kit/answer.ts'

/** Their responses wrap the body in `data`. */
const data = <S extends z.ZodType>(schema: S) =>
  z.object({ data: schema }).transform((answer) => (answer as { data: z.output<S> }).data)

const conId = z.int().positive()
const text = z.string().nullish().catch(null)

/** `POST /consignments`, `GET /consignments/{id}` */
export const Consigned = data(
  z.object({
    conId,
    total: dollarsAsCents,
    items: z.array(z.object({ label: z.string().regex(/^[A-Z0-9]{1,30}$/), reference: carrierCode })).min(1),
  }),
)
export type Consigned = z.output<typeof Consigned>

/** The same, to check only whether the consignment exists. */
export const ConsignmentState = data(z.object({ conId }).nullable())

/** `GET /consignments?fromDate=&toDate=` */
export const Listed = data(eachOf(z.object({ conId, externalRef1: z.string().nullish() })))

/** `POST /consignments/quote` */
export const Quote = data(z.object({ total: dollarsAsCents }))

/** `GET /consignments/deleted-reasons` */
export const Reasons = data(z.array(z.object({ id: z.int() })).min(1))

/** Times are in .NET's format, with or without an offset; without one they are Sydney time. */
const EAST = zone('Australia/Sydney')
const scannedMs = z
  .string()
  .transform((time) => parseTimestamp(time))
  .pipe(z.custom<NonNullable<ReturnType<typeof parseTimestamp>>>((time) => time !== null))
  .transform((time) => toInstantMs(time, EAST))
  .pipe(z.number().min(Date.UTC(2000)).max(Date.UTC(2200)))

/** `GET /track/label/{label}` */
export const Scans = data(
  eachOf(
    z.object({
      scanType: carrierCode,
      scannedDateTime: scannedMs,
      description: text,
      scanTypeDescription: text,
      status: text,
      franchiseName: text,
    }),
  ),
)
export type Scans = z.output<typeof Scans>

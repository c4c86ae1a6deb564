import { z } from 'zod'
import { StaffCourier } from '../deliveries/delivery-request-schema.ts'
import { lineText, phoneText, recordTime, referenceText } from '../fields/text.ts'

const Profile = z
  .strictObject({
    id: z.string().meta({ examples: ['cou_01kax3v8y2m4s6t8w0z2b4d6f8'] }),
    store_id: z.string(),
    phone: z.string().meta({ description: 'The phone number in E.164 format.' }),
    driver_name: z.string(),
    driver_id: z.string().nullable(),
    active: z.boolean(),
    last_seen_at: recordTime.nullable(),
  })
  .meta({ id: 'StaffCourierProfile' })

export const StaffCourierAnswer = z.strictObject({ data: Profile }).meta({ id: 'StaffCourierAnswer' })
export const StaffCouriersAnswer = z
  .strictObject({
    data: z.array(Profile),
    pagination: z
      .strictObject({ page: z.int(), per_page: z.int(), total: z.int(), total_pages: z.int() })
      .meta({ id: 'PagePagination' }),
  })
  .meta({ id: 'StaffCouriersAnswer' })

export const PageQuery = z.strictObject({
  page: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .meta({ description: 'The page number, from 1. A page has 50 couriers.' }),
})

export const StaffCourierBody = z
  .strictObject({
    store_id: referenceText().optional().meta({ description: 'Takes precedence over `store_reference`.' }),
    store_reference: referenceText().optional(),
    phone: phoneText,
    driver_name: lineText(200),
    driver_id: referenceText().optional(),
    active: z.boolean().optional(),
  })
  .meta({ id: 'StaffCourierRequest' })

export const ChangeStaffCourierBody = z
  .strictObject({
    phone: phoneText.optional(),
    driver_name: lineText(200).optional(),
    driver_id: referenceText().nullable().optional(),
    active: z.boolean().optional(),
  })
  .meta({ id: 'StaffCourierChange' })

export const AssignBody = z.strictObject({ staff_courier: StaffCourier }).meta({ id: 'AssignRequest' })

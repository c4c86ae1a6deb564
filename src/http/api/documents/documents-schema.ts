import { z } from 'zod'
import { NamedQuery } from '../deliveries/lists-schema.ts'

/** Opens the order summary without a bearer. */
export const SignedQuery = z.strictObject({
  exp: z
    .string()
    .max(20)
    .optional()
    .meta({ description: 'With `sig`: opens the document without a bearer.' }),
  sig: z.string().max(100).optional(),
})

/** The same of a delivery's declaration, whose reference two stores may use. */
export const DeclarationQuery = NamedQuery.extend(SignedQuery.shape)

export const ProofQuery = DeclarationQuery.extend({ format: z.enum(['pdf', 'image', 'failed']).optional() })

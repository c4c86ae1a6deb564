import { z } from 'zod'
import { NamedQuery } from '../deliveries/lists-schema.ts'

/** The query of a signed URL, which opens the order summary without a bearer token. */
export const SignedQuery = z.strictObject({
  exp: z.string().max(20).optional().meta({
    description:
      'The expiry of a signed URL. Together with `sig` it opens the document without a bearer token.',
  }),
  sig: z.string().max(100).optional(),
})

/** The same for a delivery's declaration, with the store if two stores use the reference. */
export const DeclarationQuery = NamedQuery.extend(SignedQuery.shape)

export const ProofQuery = DeclarationQuery.extend({ format: z.enum(['pdf', 'image', 'failed']).optional() })

import type { CourierProof, CourierProofs, Outcome } from '../port/carrier.ts'
import { yes } from '../port/outcome.ts'
import type { CarrierResponse } from '../port/send.ts'

/** A proof as its carrier tells of it. `url`: where its picture lies; null where it has none, as a PIN. */
export type ReportedProof = Omit<CourierProof, 'image'> & { url: string | null }

/** The proofs that were told of, with their pictures; `missing`: one of those could not be had, for now. */
export async function fetchProofImages(
  told: Outcome<readonly ReportedProof[]>,
  download: (url: string) => Promise<CarrierResponse>,
): Promise<Outcome<CourierProofs>> {
  if (told.kind !== 'yes') return told
  const fetched = await Promise.all(
    told.value.map(async ({ url, ...proof }): Promise<CourierProof[]> => {
      if (url === null) return [{ ...proof, image: null }]
      const answer = await download(url)
      const isPicture = answer.kind === 'answered' && answer.status === 200 && Buffer.isBuffer(answer.body)
      return isPicture ? [{ ...proof, image: answer.body as Buffer }] : []
    }),
  )
  const proofs = fetched.flat()
  return yes({ proofs, missing: proofs.length < told.value.length })
}

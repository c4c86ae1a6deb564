import type { CourierProof, CourierProofs, Outcome } from '../port/carrier.ts'
import { yes } from '../port/outcome.ts'
import type { CarrierResponse } from '../port/send.ts'

/**
 * A proof as the carrier reports it. `url`: the address of its picture; null if it has no picture, as for a
 * PIN.
 */
export type ReportedProof = Omit<CourierProof, 'image'> & { url: string | null }

/**
 * Downloads the pictures of the reported proofs. `missing`: one of them could not be downloaded this time.
 */
export async function fetchProofImages(
  reported: Outcome<readonly ReportedProof[]>,
  download: (url: string) => Promise<CarrierResponse>,
): Promise<Outcome<CourierProofs>> {
  if (reported.kind !== 'yes') return reported
  const fetched = await Promise.all(
    reported.value.map(async ({ url, ...proof }): Promise<CourierProof[]> => {
      if (url === null) return [{ ...proof, image: null }]
      const answer = await download(url)
      const isPicture = answer.kind === 'answered' && answer.status === 200 && Buffer.isBuffer(answer.body)
      return isPicture ? [{ ...proof, image: answer.body as Buffer }] : []
    }),
  )
  const proofs = fetched.flat()
  return yes({ proofs, missing: proofs.length < reported.value.length })
}

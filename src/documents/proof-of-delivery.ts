import { timeWords } from './format.ts'
import { A4, type Block, bandMarks, EDGE, factRows, footMarks, inFlow, ROOM } from './paper.ts'
import { pdfDocument, type Shown } from './pdf/document.ts'
import { keptPictureOf } from './pdf/kept-pictures.ts'
import type { Picture } from './pdf/picture.ts'
import { isOnItsSide } from './pdf/turned.ts'
import { loadShaperFor } from './script/load-shaper-for.ts'

/** Proof of a delivery by the store's own courier. Times are those of the place where the parcels go, as ISO 8601. */
export type ProofOfDelivery = {
  reference: string
  deliveryId: string
  consignmentNumber: string
  /** At the foot of the page. */
  store: string
  from: string
  to: string
  driverName: string
  how: string
  signedBy: string | null
  /** By the phone's clock. */
  deliveredAt: string
  receivedAt: string
  position: { lat: number; lng: number } | null
  image: { mediaType: string; bytes: Buffer; sha256: string } | null
  strokes: readonly (readonly number[])[] | null
  sandbox: boolean
}

/** The photo or signature starts here, or below longer facts. */
const USUAL_TOP = 1_000
/** Signatures are drawn in a box of 1000 by 400. */
const SIGNATURE_SCALE = ROOM / 1_000

/** The proof as one A4 page: who, where, when, and a large photo or signature. */
export async function proofPdf(proof: ProofOfDelivery): Promise<Buffer> {
  await loadShaperFor(proof)
  const picture = proof.image && (await keptPictureOf(proof.image))
  const { marks, bottom } = marksOf(proof, picture)
  const foot = footMarks(`${proof.store} · ${proof.reference}`, 1, 1)
  const top = Math.max(USUAL_TOP, bottom + 40)
  return pdfDocument(A4, [[...marks, ...foot]], shownOf(proof, picture, top))
}

function marksOf(proof: ProofOfDelivery, picture: Picture | null): Block {
  const half = (ROOM - 40) / 2
  const facts: [name: string, value: string][] = [
    ['Delivered, by the driver’s phone', timeWords(proof.deliveredAt)],
    ['Arrived here', timeWords(proof.receivedAt)],
    ['From', proof.from],
    ['To', proof.to],
    ['Driver', proof.driverName],
    ['Proved by', proof.how],
    ['Signed by', proof.signedBy ?? 'Not said'],
    ['Place', proof.position ? `${proof.position.lat}, ${proof.position.lng}` : 'Not known'],
    ['Consignment', proof.consignmentNumber],
    ['Delivery', proof.deliveryId],
  ]
  const rows = Array.from({ length: facts.length / 2 }, (_, row) =>
    facts.slice(2 * row, 2 * row + 2).map(([name, value], column) => ({
      ...{ name, value },
      x: column * (half + 40),
      width: half,
    })),
  )
  if (proof.image) {
    const name = picture ? 'Image, SHA-256' : 'The image is kept (?format=image). SHA-256'
    rows.push([{ name, value: proof.image.sha256, x: 0, width: ROOM }])
  }
  const title = proof.sandbox ? 'Proof of delivery (TEST)' : 'Proof of delivery'
  return inFlow([(y) => bandMarks(title, proof.reference, y), (y) => factRows(rows, y + 42, 36)], 120)
}

function shownOf(proof: ProofOfDelivery, picture: Picture | null, top: number): Shown | null {
  if (picture) {
    const [across, down] = isOnItsSide(picture.orientation)
      ? [picture.height, picture.width]
      : [picture.width, picture.height]
    const scale = Math.min(ROOM / across, (A4.height - top - 160) / down)
    const [width, height] = [Math.round(across * scale), Math.round(down * scale)]
    return { kind: 'picture', x: EDGE, y: top, width, height, picture }
  }
  if (!proof.strokes) return null
  const lines = proof.strokes.map((line) => line.map((value, index) => placed(value, index, top)))
  return { kind: 'lines', thick: 5, lines }
}

function placed(value: number, index: number, top: number): number {
  return Math.round(value * SIGNATURE_SCALE * 10) / 10 + (index % 2 === 0 ? EDGE : top)
}

import { timeWords } from './format.ts'
import { A4, bandMarks, EDGE, factMarks, footMarks, ROOM } from './paper.ts'
import { pdfDocument, type Shown } from './pdf/document.ts'
import { keptPictureOf } from './pdf/kept-pictures.ts'
import type { Picture } from './pdf/picture.ts'
import { isOnItsSide } from './pdf/turned.ts'
import { loadShaperFor } from './script/load-shaper-for.ts'

/** Proof of a delivery by the store's own courier. Times are the destination's local time as ISO 8601. */
export type ProofOfDelivery = {
  reference: string
  deliveryId: string
  consignmentNumber: string
  store: string
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

const TOP = 1_000
/** The area for the photo, below the facts. */
const FRAME = { width: ROOM, height: A4.height - TOP - 160 }
/** Signatures are drawn in a box of 1000 by 400. */
const SIGNATURE_SCALE = ROOM / 1_000

/** The proof as one A4 page: who, where, when, and a large photo or signature. */
export async function proofPdf(proof: ProofOfDelivery): Promise<Buffer> {
  await loadShaperFor(proof)
  const picture = proof.image && (await keptPictureOf(proof.image))
  return pdfDocument(A4, [[...marksOf(proof, picture)]], shownOf(proof, picture))
}

function* marksOf(proof: ProofOfDelivery, picture: Picture | null) {
  yield* bandMarks(proof.sandbox ? 'Proof of delivery (TEST)' : 'Proof of delivery', proof.reference, 120)
  const half = (ROOM - 40) / 2
  const facts: [name: string, value: string][] = [
    ['Delivered, by the driver’s phone', timeWords(proof.deliveredAt)],
    ['Arrived here', timeWords(proof.receivedAt)],
    ['From', proof.store],
    ['To', proof.to],
    ['Driver', proof.driverName],
    ['Proved by', proof.how],
    ['Signed by', proof.signedBy ?? 'Not said'],
    ['Place', proof.position ? `${proof.position.lat}, ${proof.position.lng}` : 'Not known'],
    ['Consignment', proof.consignmentNumber],
    ['Delivery', proof.deliveryId],
  ]
  for (const [index, [name, value]] of facts.entries()) {
    const at = { x: (index % 2) * (half + 40), y: 270 + Math.floor(index / 2) * 110, width: half }
    yield* factMarks(name, value, at)
  }
  if (proof.image) {
    const words = picture ? 'Image, SHA-256' : 'The image is kept (?format=image). SHA-256'
    yield* factMarks(words, proof.image.sha256, { x: 0, y: 830, width: ROOM })
  }
  yield* footMarks(`${proof.store} · ${proof.reference}`, 1, 1)
}

function shownOf(proof: ProofOfDelivery, picture: Picture | null): Shown | null {
  if (picture) {
    const [across, down] = isOnItsSide(picture.orientation)
      ? [picture.height, picture.width]
      : [picture.width, picture.height]
    const scale = Math.min(FRAME.width / across, FRAME.height / down)
    const [width, height] = [Math.round(across * scale), Math.round(down * scale)]
    return { kind: 'picture', x: EDGE, y: TOP, width, height, picture }
  }
  if (!proof.strokes) return null
  const lines = proof.strokes.map((line) => line.map(placed))
  return { kind: 'lines', thick: 5, lines }
}

function placed(value: number, index: number): number {
  return Math.round(value * SIGNATURE_SCALE * 10) / 10 + (index % 2 === 0 ? EDGE : TOP)
}

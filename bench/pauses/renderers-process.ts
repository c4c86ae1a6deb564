import { outbound } from '../../src/carriers/wire/http-send.ts'
import { labelPdf, labelZpl } from '../../src/documents/label.ts'
import { orderSummaryPdf } from '../../src/documents/order-summary.ts'
import { proofPdf } from '../../src/documents/proof-of-delivery.ts'
import { parseImage } from '../../src/operations/own-couriers/proof-image.ts'
import { LABEL } from '../../test/documents/label-examples.ts'
import { NAMES } from '../../test/documents/script-examples.ts'
import { answerParent } from '../environment/child.ts'
import { labels, largestJpeg, proof, summary, transparentPng } from './inputs.ts'
import { PauseProbe } from './pause-probe.ts'

/** A new digest each time, so that no decoded image is cached from the round before. */
let images = 0
const jpeg = largestJpeg()
const jpegAsBase64 = jpeg.toString('base64')
const png = transparentPng()
const many = { latin: labels(108, false), chinese: labels(108, true) }
const lines = summary(500)
const carriers = outbound({ allowLoopback: true })

const imageProof = (mediaType: 'image/jpeg' | 'image/png', bytes: Buffer) =>
  proofPdf(proof({ mediaType, bytes, sha256: String(images++) }))
const nameLabel = (name: string) => ({ ...LABEL, to: { ...LABEL.to, name } })

const WORK: Readonly<Record<string, (at: string) => unknown>> = {
  'proof, JPEG of 50 MP': () => imageProof('image/jpeg', jpeg),
  'photo of 5 MiB arrives': () => parseImage(jpegAsBase64, 'image'),
  'proof, PNG of 2000 × 2000': () => imageProof('image/png', png),
  '108 labels, PDF': () => labelPdf(many.latin),
  '108 labels, ZPL': () => labelZpl(many.latin),
  'first label in each script': () => firstTexts(),
  '108 Chinese labels, PDF': () => labelPdf(many.chinese),
  '108 Chinese labels, ZPL': () => labelZpl(many.chinese),
  'manifest of 500, PDF': () => orderSummaryPdf(lines),
  'HTTP client of carriers loads (in live mode before the process serves)': () => carriers.load(),
  'carrier’s answer of 4 MB': (api) =>
    carriers.to({ api }, 30_000)({ method: 'GET', path: '/', headers: {}, body: undefined }),
}

export type RenderersQuestion = { name: string; url: string } | 'names'

async function firstTexts(): Promise<void> {
  for (const name of Object.values(NAMES)) await labelPdf([nameLabel(name)])
}

answerParent(async (question: RenderersQuestion) => {
  if (question === 'names') return Object.keys(WORK)
  const probe = new PauseProbe()
  probe.begin()
  await new Promise((done) => setTimeout(done, 5))
  const made = await WORK[question.name]?.(question.url)
  if ((made as { kind?: string } | undefined)?.kind === 'no_answer') throw new Error(JSON.stringify(made))
  return probe.end()
})

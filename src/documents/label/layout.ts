import type { Mark } from '../marks.ts'
import { linearMarks, matrixMarks } from './barcodes.ts'
import type { Label, LabelArticle } from './data.ts'
import { factMarks, goodsMarks } from './facts.ts'
import { bandMarks, bannerMarks, placeMarks } from './heading.ts'
import { dutyMarks, instructionMarks } from './instructions.ts'
import { receiverMarks, senderMarks } from './parties.ts'
import { LEFT, WIDTH } from './place.ts'

/** 100 × 150 mm in dots. */
export const LABEL_SIZE = { width: 800, height: 1200 }

/**
 * The drawing commands of one article's label, in the driver's order: service, place, person, window, duties,
 * bars.
 */
export function labelMarks(label: Label, article: LabelArticle): Mark[] {
  const banners = bannerMarks(label, 118)
  const place = banners.length > 0 ? 172 : 126
  const person = place + 106
  return [
    ...bandMarks(label, 16),
    ...banners,
    ...placeMarks(label.to, place),
    rule(person - 14),
    ...receiverMarks(label, { top: person, bottom: 522 }),
    ...matrixMarks({ x: 576, y: person + 4, width: 200, height: 200 }, article.barcodes.matrix),
    rule(526),
    ...factMarks(label, article, 537),
    rule(692),
    ...dutyMarks(label, { top: 702, bottom: 854 }),
    ...instructionMarks(label, { top: 702, bottom: 854 }),
    rule(860),
    ...senderMarks(label, 871),
    ...goodsMarks(article, 869),
    rule(936),
    ...linearMarks({ x: 0, y: 946, width: LABEL_SIZE.width, height: 232 }, article.barcodes.linear),
  ]
}

function rule(y: number): Mark {
  return { kind: 'fill', x: LEFT, y, width: WIDTH, height: 3 }
}

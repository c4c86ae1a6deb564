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

/** The marks of one article's label, in a driver's order: service, place, person, promise, duties, bars. */
export function labelMarks(label: Label, article: LabelArticle): Mark[] {
  const banners = bannerMarks(label, 136)
  const place = banners.length > 0 ? 200 : 152
  const person = place + 108
  return [
    ...bandMarks(label, 24),
    ...banners,
    ...placeMarks(label.to, place),
    rule(person - 16),
    ...receiverMarks(label.to, { top: person, bottom: 538 }),
    ...matrixMarks({ x: 576, y: person + 4, width: 200, height: 200 }, article.barcodes.matrix),
    rule(546),
    ...factMarks(label, article, 558),
    rule(718),
    ...dutyMarks(label, { top: 730, bottom: 868 }),
    ...instructionMarks(label, { top: 730, bottom: 868 }),
    rule(876),
    ...senderMarks(label, 888),
    ...goodsMarks(article, 886),
    rule(954),
    ...linearMarks({ x: 0, y: 964, width: LABEL_SIZE.width, height: 232 }, article.barcodes.linear),
  ]
}

function rule(y: number): Mark {
  return { kind: 'fill', x: LEFT, y, width: WIDTH, height: 3 }
}

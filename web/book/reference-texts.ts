import type { LinkFrontAnswer } from '../shared/api.generated.ts'

/** Texts of the question for the order number. */
export type ReferenceTexts = { title: string; why: string; go: string }

/** By the state of the link: to choose a time, or to see the booking. */
export function referenceTexts(status: LinkFrontAnswer['data']['status'], store: string): ReferenceTexts {
  return TEXTS[status](store)
}

const TEXTS: Readonly<Record<LinkFrontAnswer['data']['status'], (store: string) => ReferenceTexts>> = {
  open: (store) => ({
    title: 'Which order is it?',
    why: `${store} has it. Tell us its number, and choose when it comes.`,
    go: 'See my order',
  }),
  booked: () => ({
    title: 'This is booked already',
    why: 'A time has been chosen. Tell us the order’s number to see when it comes.',
    go: 'See when it comes',
  }),
}

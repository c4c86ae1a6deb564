import type { FakeAnswer } from '../fake.ts'

/** Aramex's code → sentence, as its wiki has them (Codes: Error Codes). */
const SENTENCES = {
  CON_PKG: 'Package type invalid',
  CON_SAT: 'Invalid Satchel Size',
  FIN_CR_LOW: 'Insufficient funds to complete transaction',
  PRI_WGT_MX_KG: 'Maximum dead weight exceeded',
  PRI_WGT_MX_CM: 'Maximum cubic weight exceeded',
  PSC_PC_NF: 'Postcode not found',
  REC_NF: 'Record not found',
  VAL_REQ: 'Required Value Missing',
  VAL_INVALID: 'Supplied value invalid',
  VAL_EMAIL: 'Supplied value in not a valid email address',
  GEN: 'General Error',
} as const

export type ErrorCode = keyof typeof SENTENCES
export type Wrong = { code: ErrorCode; where?: string }

/** 400: "we will typically return an Error object with more detail". */
export function refuse(...all: readonly Wrong[]): FakeAnswer {
  return errorsOf(400, all)
}

/** The references' response to a token that is missing or has expired: the status, and no body. */
export const UNAUTHORIZED: FakeAnswer = { status: 401 }

/** Its message for an internal failure, which leaves open whether the request was executed. */
export function generalError(status: number): FakeAnswer {
  return errorsOf(status, [{ code: 'GEN' }])
}

/** Its response for a status that a fault asks for. */
export function failure(status: number): FakeAnswer {
  if (status === 401) return UNAUTHORIZED
  return errorsOf(status, [{ code: status === 404 ? 'REC_NF' : status < 500 ? 'VAL_INVALID' : 'GEN' }])
}

function errorsOf(status: number, all: readonly Wrong[]): FakeAnswer {
  const errors = all.map(({ code, where }) => ({
    code,
    message: where ? `${SENTENCES[code]}: ${where}` : SENTENCES[code],
    suggestedValues: [],
  }))
  return { status, body: { errors } }
}

import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { parseDate, parseTimestamp } from '../../domain/calendar/timestamp.ts'
import { type Issue, MOST_ISSUES } from '../../domain/errors.ts'
import { branchByDiscriminator } from './discriminated-union.ts'
import { issuesOf } from './issues.ts'

/** Every mistake of the value (at most `MOST_ISSUES`), none twice, in the schema's order; empty when it is good. */
export type Check = (value: unknown) => Issue[]

/** Says all mistakes of a body or a query. The schema is compiled at its first use. */
export function checkOf(schema: z.ZodType): Check {
  let validate: ValidateFunction | null = null
  return (value) => {
    validate ??= ajv.compile(z.toJSONSchema(schema, { ...INPUT, override: branchByDiscriminator }))
    return validate(value) ? NONE : issuesOf(validate.errors ?? [], MOST_ISSUES)
  }
}

/** JSON Schema 2020-12 of what a caller may send. */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { ...INPUT, override: dropSafeIntegerBounds })
}

/** Zod bounds every integer that has no bound of its own by what JavaScript holds exactly; to others that says nothing. */
function dropSafeIntegerBounds({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema.minimum !== Number.MIN_SAFE_INTEGER) return
  delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

const INPUT = { target: 'draft-2020-12', io: 'input' } as const

const NONE: Issue[] = []

const ajv = new Ajv2020({
  allErrors: true,
  coerceTypes: false,
  useDefaults: false,
  strict: true,
  // Gives each error its schema and value, from which the sentence is made.
  verbose: true,
  // The validator's own sentences are nobody's.
  messages: false,
  code: { process: endAtManyErrors },
  formats: {
    'iso-8601': (text: string) => parseTimestamp(text) !== null,
    date: (text: string) => parseDate(text) !== null,
    'date-time': true,
    uri: true,
  },
})
ajv.addKeyword('x-rule')

/**
 * The validator looks at every entry of a list, however many mistakes there are by then, and adds those of each to a
 * copy of all before: a list of 9,000 wrong entries took 65 ms, and 100 mistakes are told. Here it ends, and adds them
 * to what is there: a list of errors is another's for as long as nobody else has it.
 */
function endAtManyErrors(code: string): string {
  return code
    .replaceAll(/for\(let (i\d+)=0; \1<len\d+; \1\+\+\)\{/g, `$&if(errors>${2 * MOST_ISSUES})break;`)
    .replaceAll(/vErrors\.concat\((validate\d+)\.errors\)/g, '(vErrors.push(...$1.errors),vErrors)')
}

import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { helpFor } from './schema-at.ts'
import { placeAt } from './yaml-place.ts'

/** Fields and values that the account schema allows where the cursor is. */
export async function completeField(context: CompletionContext): Promise<CompletionResult | null> {
  const place = placeAt(context.state.doc.toString(), context.pos)
  if (!place || (place.typed === '' && !context.explicit)) return null
  const help = await helpFor(place.path)
  if (!help) return null
  const fields = help.fields.map(
    ({ name, description }): Completion => ({
      label: name,
      apply: `${name}: `,
      info: description,
      type: 'property',
    }),
  )
  const values = (help.values ?? []).map((label): Completion => ({ label, type: 'enum' }))
  const options = place.kind === 'field' && fields.length > 0 ? fields : values
  return options.length === 0 ? null : { from: context.pos - place.typed.length, options }
}

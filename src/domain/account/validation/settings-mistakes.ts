import type { z } from 'zod'
import type { Path } from '../document/schema-at.ts'
import { entries, field, textField } from './loose.ts'
import type { AccountMistake } from './mistake.ts'
import { shapeMistakes } from './shape-mistakes.ts'

/** The schema of a carrier's `settings` by the name of its adapter. */
export type AdapterSchemas = ReadonlyMap<string, z.ZodType>

/** What is wrong with the settings that are found at `above`. */
export function settingsMistakes(schema: z.ZodType, settings: unknown, above: Path): AccountMistake[] {
  const { error } = schema.safeParse(settings)
  return shapeMistakes(schema, settings, error?.issues ?? []).map((mistake) => ({
    ...mistake,
    path: [...above, ...mistake.path],
  }))
}

/** Checks each carrier's settings by its adapter. Reads documents of any shape. */
export function* adapterSettingsMistakes(
  document: unknown,
  adapters: AdapterSchemas | null,
): Generator<AccountMistake> {
  for (const { value: carrier, path } of entries(document, 'carriers')) {
    const name = textField(carrier, 'adapter') ?? textField(carrier, 'provider')
    const schema = name === undefined ? undefined : adapters?.get(name)
    const settings = field(carrier, 'settings') ?? {}
    // Settings of another type are a mistake of the document's own shape.
    if (!schema || typeof settings !== 'object' || Array.isArray(settings)) continue
    yield* settingsMistakes(schema, settings, [...path, 'settings'])
  }
}

/**
 * Generates examples/account.schema.json, which lets editors complete account documents, from
 * src/domain/account/document/document.ts.
 */
import { writeFileSync } from 'node:fs'
import { accountSchemaText } from './account-schema.ts'

writeFileSync(new URL('../examples/account.schema.json', import.meta.url), accountSchemaText())

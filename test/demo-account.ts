import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Account } from '../src/domain/account/account.ts'
import { compileAccount } from '../src/domain/account/snapshot/compile.ts'
import { readAccount } from '../src/domain/account/validation/validate.ts'

type Example = 'demo-account' | 'acme-byoc'

/** A document of `examples/`, as text. */
export function exampleDocument(file: Example) {
  return parse(readFileSync(new URL(`../examples/${file}.yaml`, import.meta.url), 'utf8'), { merge: true })
}

/** An account of `examples/`, compiled. Store and brand ids are `sto_` or `brd_` and the reference. */
export function exampleAccount(file: Example): Account {
  return compiledAccount(exampleDocument(file))
}

/** A valid document, compiled, with ids of the same form. */
export function compiledAccount(words: unknown): Account {
  const { document, mistakes } = readAccount(words)
  if (!document) throw new Error(mistakes.map(({ path, wrong }) => `${path.join('.')} ${wrong}`).join('\n'))
  const ids = (prefix: string, named: readonly { reference: string }[]) =>
    new Map(named.map(({ reference }) => [reference, `${prefix}_${reference}`]))
  return compileAccount(document, {
    version: 1,
    storeIds: ids('sto', document.stores),
    brandIds: ids('brd', document.brands),
  })
}

/**
 * Writes `clients/python/drover/{types,_operations,_async_operations}.py` from the OpenAPI document: one TypedDict for
 * each schema, and the operations that a client's token may call, under the names of the TypeScript client in Python's
 * spelling.
 */
import { resolve } from 'node:path'
import { allEndpoints } from '../src/http/api/endpoints.ts'
import { isPythonKeyword, toPythonName } from '../src/http/openapi/client-method.ts'
import { type OpenApiDocument, openApiDocument } from '../src/http/openapi/document.ts'
import { type ClientMethod, type Components, listClientMethods, resolveSchema } from './api-client.ts'
import { type Schema, writeIfChanged } from './api-types.ts'
import { isMain } from './is-main.ts'

const FOLDER = resolve(import.meta.dirname, '../clients/python/drover')
const MADE = '# Made by scripts/api-client-python.ts from the OpenAPI document; not kept in git.\n'
/** A longer list of values gets a name, which an editor shows instead of the list. */
const MAX_UNNAMED_VALUES = 8
/** For the hand-written modules. */
const ROOTS = ['Problem', 'TokenAnswer', 'Event', 'WebhookMessage']
/** `_client.py` makes this one, because it has a method by hand: `follow`. */
const FEED = 'events'
const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
}

export function writePythonClient(): void {
  const { types, operations, asyncOperations } = generatePythonClient(
    openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints()),
  )
  writeIfChanged(`${FOLDER}/types.py`, types)
  writeIfChanged(`${FOLDER}/_operations.py`, operations)
  writeIfChanged(`${FOLDER}/_async_operations.py`, asyncOperations)
}

export function generatePythonClient(document: OpenApiDocument): {
  types: string
  operations: string
  asyncOperations: string
} {
  const types = new PythonTypes(document.components.schemas as Components)
  for (const name of ROOTS) types.toType({ $ref: `#/${name}` }, name)
  const resources = Map.groupBy(listClientMethods(document), ({ resource }) => resource)
  return {
    operations: operationsModule(BLOCKING, resources, types),
    asyncOperations: operationsModule(ASYNCHRONOUS, resources, types),
    types: types.module(),
  }
}

/** The modules have the same operations; only what Python writes differently for `asyncio` differs. */
type Flavour = { prefix: string; define: string; run: string; pages: string }
const BLOCKING: Flavour = { prefix: '', define: 'def', run: 'self._run', pages: 'Pages' }
const ASYNCHRONOUS: Flavour = {
  prefix: 'Async',
  define: 'async def',
  run: 'await self._run',
  pages: 'AsyncPages',
}

function operationsModule(
  flavour: Flavour,
  resources: ReadonlyMap<string, readonly ClientMethod[]>,
  types: PythonTypes,
): string {
  const { prefix, pages } = flavour
  const classes = [...resources].map(([resource, methods]) =>
    resourceClass(resource, methods, types, flavour),
  )
  const fields = [...resources.keys()].map((resource) =>
    resource === FEED
      ? ''
      : `        self.${toPythonName(resource)} = ${prefix}${toClass(resource)}(run, list_pages)\n`,
  )
  const names = types.names().filter((name) => new RegExp(`\\b${name}\\b`).test(classes.join('')))
  return `${MADE}# mypy: disable-error-code=no-any-return
from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, List, Literal

from ._call import CallOptions
from ._pages import ${pages}
from .types import (
${names.map((name) => `    ${name},\n`).join('')})

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    from typing_extensions import Unpack

Run = Callable[[str, "tuple[str, ...]", Any, "dict[str, Any]", CallOptions], Any]


class ${prefix}Resource:
    def __init__(self, run: Run, list_pages: Run) -> None:
        self._run = run
        self._list = list_pages


${classes.join('\n\n')}

class ${prefix}Resources:
    def __init__(self, run: Run, list_pages: Run) -> None:
${fields.join('')}`
}

function resourceClass(
  resource: string,
  methods: readonly ClientMethod[],
  types: PythonTypes,
  { prefix, define, run, pages }: Flavour,
): string {
  const text = methods.map((method) => {
    const { name, row, ids, query, body, summary } = method
    const owner = toClass(resource).replace('Resource', toPascal(name))
    const parameters = query.map((one) => {
      const type = types.toType(one.schema, `${owner}${toPascal(one.name)}`, 'Sequence')
      return `${toPythonName(one.name)}: ${one.required ? type : `${type} | None = None`}`
    })
    const bodyType = body ? types.toType(body.schema, `${owner}Body`) : ''
    const args = [
      'self',
      ...ids.map((id) => `${id}: str`),
      ...(body ? [`body: ${body.required ? bodyType : `${bodyType} | None = None`}`] : []),
      ...(parameters.length > 0 ? ['*', ...parameters] : []),
      '**options: Unpack[CallOptions]',
    ]
    const given = query.map((one) => `${JSON.stringify(one.name)}: ${toPythonName(one.name)}`)
    const values = [
      JSON.stringify(row),
      ids.length === 0 ? '()' : `(${ids.join(', ')},)`,
      body ? 'body' : 'None',
      `{${given.join(', ')}}`,
      'options',
    ]
    const isList = method.kind === 'pages'
    const head = `${isList ? 'def' : define} ${toPythonName(name)}(${args.join(', ')})`
    return `    ${head} -> ${answerType(method, owner, types, pages)}:
        """${summary}."""
        return ${isList ? 'self._list' : run}(${values.join(', ')})
`
  })
  return `class ${prefix}${toClass(resource)}(${prefix}Resource):\n${text.join('\n')}`
}

/** `owner`: the name of an answer that has no name in the document. */
function answerType(
  { kind, answers }: ClientMethod,
  owner: string,
  types: PythonTypes,
  pages: string,
): string {
  if (kind === 'nothing') return 'None'
  if (kind === 'bytes') return 'bytes'
  const all = answers.map((answer) => {
    if (kind === 'json') return types.toType(answer, `${owner}Answer`)
    const data = types.property(answer, 'data')
    const hint = `${answer.$ref?.split('/').at(-1) ?? owner}Data`
    return types.toType(kind === 'data' ? data : (data.items ?? {}), hint)
  })
  const type = [...new Set(all)].join(' | ')
  // A class with a method `list` cannot name the type of the same name.
  return (kind === 'pages' ? `${pages}[${type}]` : type).replaceAll(/\blist\[/g, 'List[')
}

/** The classes and aliases that the operations use; a class is made when a type first names it. */
class PythonTypes {
  readonly #schemas: Components
  readonly #made = new Map<string, string>()

  constructor(schemas: Components) {
    this.#schemas = schemas
  }

  names(): string[] {
    return [...this.#made.keys()].sort()
  }

  /** Aliases follow the classes: they are evaluated, and annotations are not. */
  module(): string {
    const texts = this.names().map((name) => this.#made.get(name) as string)
    const isClass = (text: string): boolean => text.startsWith('class ')
    const ordered = [...texts.filter(isClass), ...texts.filter((text) => !isClass(text))]
    return `${MADE}from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired


${ordered.join('\n\n')}`
  }

  /** `name`: of the class or alias that the schema becomes if it has no name of its own. */
  toType(schema: Schema, name: string, list = 'list'): string {
    if (schema.$ref) return this.#reference(schema.$ref.split('/').at(-1) as string)
    if ('const' in schema) return `Literal[${toLiteral(schema.const)}]`
    if (schema.enum) return this.#values(schema.enum, name)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) {
      const types = choices.map((one, index) => this.toType(one, index === 0 ? name : `${name}${index + 1}`))
      return [...new Set(types)].join(' | ')
    }
    if (Array.isArray(schema.type)) {
      return schema.type.map((type) => this.toType({ ...schema, type }, name)).join(' | ')
    }
    if (schema.type === 'array') return `${list}[${this.toType(schema.items ?? {}, name)}]`
    if (schema.type === 'object') return this.#object(schema, name)
    return SIMPLE[schema.type ?? ''] ?? 'Any'
  }

  property(schema: Schema, name: string): Schema {
    return resolveSchema(schema, this.#schemas).properties?.[name] as Schema
  }

  #reference(name: string): string {
    if (this.#made.has(name)) return name
    const schema = resolveSchema({ $ref: `#/${name}` }, this.#schemas)
    // Before its members, which may name it again.
    this.#made.set(name, '')
    const type = this.toType(schema, name)
    // An object has made its class by now.
    if (type !== name) {
      const text = type
        .split(' | ')
        .map((one) => JSON.stringify(one))
        .join(', ')
      this.#made.set(name, `${name} = Union[${text}]\n`)
    }
    return name
  }

  #values(values: readonly unknown[], name: string): string {
    const type = `Literal[${values.map(toLiteral).join(', ')}]`
    if (values.length <= MAX_UNNAMED_VALUES) return type
    this.#made.set(name, `${name} = ${type}\n`)
    return name
  }

  #object({ properties, required = [], additionalProperties }: Schema, name: string): string {
    if (!properties) {
      const value = typeof additionalProperties === 'object' ? this.toType(additionalProperties, name) : 'Any'
      return `dict[str, ${value}]`
    }
    this.#made.set(name, '')
    const members = Object.entries(properties).map(([key, schema]): [string, string] => {
      const type = this.toType(schema, `${name}${toPascal(key)}`)
      return [key, required.includes(key) ? type : `NotRequired[${type}]`]
    })
    this.#made.set(name, classText(name, members))
    return name
  }
}

/** A key that is a word of Python's own, such as `from`, fits only in the functional form. */
function classText(name: string, members: readonly [string, string][]): string {
  if (members.every(([key]) => /^[A-Za-z_]\w*$/.test(key) && !isPythonKeyword(key))) {
    const lines = members.map(([key, type]) => `    ${key}: ${type}\n`)
    return `class ${name}(TypedDict):\n${lines.join('') || '    pass\n'}`
  }
  const lines = members.map(([key, type]) => `        ${JSON.stringify(key)}: ${JSON.stringify(type)},\n`)
  return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)\n`
}

function toLiteral(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

function toPascal(name: string): string {
  return name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function toClass(resource: string): string {
  return `${toPascal(resource)}Resource`
}

if (isMain(import.meta.url)) writePythonClient()

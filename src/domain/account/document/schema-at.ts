import type { z } from 'zod'

export type Path = readonly (string | number)[]

/** The schemas that apply at a path of a document: several where a union allows several shapes. */
export function schemasAt(schema: z.core.$ZodType, path: Path): Node[] {
  return path.reduce<Node[]>((nodes, step) => nodes.flatMap((node) => children(node, step)), shapes(schema))
}

/** The keys that are allowed below a path. */
export function keysAt(schema: z.core.$ZodType, path: Path): string[] {
  return schemasAt(schema, path).flatMap((node) => {
    const { def } = node._zod
    if (def.type === 'object') return Object.keys(def.shape)
    if (def.type === 'record') return [...(def.keyType._zod.values ?? [])].map(String)
    return []
  })
}

/** The constants that a union's shapes give the field at a path, such as every `kind`. */
export function constantsAt(schema: z.core.$ZodType, path: Path): string[] {
  return schemasAt(schema, path).flatMap((node) => [...(node._zod.values ?? [])].map(String))
}

/** The schema's own description of a path, taken from the nearest wrapper. */
export function descriptionAt(schema: z.core.$ZodType, path: Path): string | null {
  const step = path.at(-1)
  if (step === undefined) return null
  for (const parent of schemasAt(schema, path.slice(0, -1))) {
    for (let node = child(parent, step); node; node = inner(node)) {
      const description = (node as z.ZodType).description
      if (description) return description
    }
  }
  return null
}

type Node = z.core.$ZodTypes

function children(node: Node, step: string | number): Node[] {
  const found = child(node, step)
  return found ? shapes(found) : []
}

function child(node: Node, step: string | number): z.core.$ZodType | undefined {
  const { def } = node._zod
  if (def.type === 'object') return def.shape[step]
  if (def.type === 'array') return def.element
  if (def.type === 'record') return def.valueType
  return undefined
}

/** The schemas inside wrappers and unions. */
function shapes(schema: z.core.$ZodType): Node[] {
  const { def } = (schema as Node)._zod
  if (def.type === 'union') return def.options.flatMap(shapes)
  const wrapped = inner(schema)
  return wrapped ? shapes(wrapped) : [schema as Node]
}

function inner(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const { def } = (schema as Node)._zod
  if (
    def.type === 'optional' ||
    def.type === 'default' ||
    def.type === 'prefault' ||
    def.type === 'nullable'
  ) {
    return def.innerType
  }
  return undefined
}

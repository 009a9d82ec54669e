import type { OpenApiDocument } from './openapi.ts'

/**
 * The same document, in which every schema that has a name is written once, and elsewhere referred to. A name that
 * nothing refers to is left out.
 */
export function withSchemaReferences<Document extends OpenApiDocument>(
  document: Document,
): Document {
  const schemas = document.components.schemas ?? {}
  const names = new Map(
    Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]),
  )
  const refer = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node
    const name = names.get(JSON.stringify(node))
    return name === undefined ? within(node) : { $ref: `${schemaPrefix}${name}` }
  }
  const within = (node: object): unknown =>
    Array.isArray(node)
      ? node.map(refer)
      : Object.fromEntries(Object.entries(node).map(([key, value]) => [key, refer(value)]))
  const paths = within(document.paths) as Document['paths']
  const defined = Object.entries(schemas).map(([name, schema]) => [name, within(schema)] as const)
  const needed = referencedNames(paths, Object.fromEntries(defined))
  const kept = defined.filter(([name]) => needed.has(name))
  return {
    ...document,
    paths,
    components: { ...document.components, schemas: Object.fromEntries(kept) },
  }
}

const schemaPrefix = '#/components/schemas/'

/** The names that something refers to, and those that these refer to. */
function referencedNames(
  node: unknown,
  schemas: Readonly<Record<string, unknown>>,
  known: Set<string> = new Set(),
): Set<string> {
  for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (known.has(name)) continue
    referencedNames(schemas[name], schemas, known.add(name))
  }
  return known
}

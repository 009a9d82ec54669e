import type * as z from 'zod'

/** Whether a value may hold null where a path leads to. */
export function allowsNull(schema: z.ZodType, path: readonly PropertyKey[]): boolean {
  let inner: z.ZodType | undefined = schema
  for (const step of path) inner = inner && childSchema(inner, step)
  return inner?.safeParse(null).success ?? false
}

/** The schema of a part; undefined where it is none of an object or a list. */
function childSchema(schema: z.ZodType, step: PropertyKey): z.ZodType | undefined {
  const { innerType, shape, element } = schema.def as {
    innerType?: z.ZodType
    shape?: Readonly<Record<PropertyKey, z.ZodType>>
    element?: z.ZodType
  }
  if (innerType) return childSchema(innerType, step)
  return shape?.[step] ?? element
}

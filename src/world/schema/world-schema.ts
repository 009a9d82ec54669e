import * as z from 'zod'
import { entities } from '../entities/entities.ts'
import type { Entity } from '../entities/field.ts'
import { countedListNames, type ListName, worldLists } from '../tables.ts'
import { formatVersion, maxId } from '../world-format.ts'
import type { RowJson } from '../world-json.ts'
import { anyWordSchema, fieldSchema, timeSchema } from './field-schemas.ts'

type RowSchemas = { readonly [List in ListName]: z.ZodObject & z.ZodType<RowJson<List>> }

/**
 * The schema of a row of each list, in the world format. Where a setting lets the service store any word, loading ignores
 * the issue of an unknown one.
 */
export const rowSchemas = once(() => {
  const rows = Object.entries<Entity>(entities).map(([list, { written }]) => [
    list,
    z.strictObject(Object.fromEntries(written.map((field) => [field.name, fieldSchema(field)]))),
  ])
  return Object.fromEntries(rows) as RowSchemas
})

/**
 * The schema of a row that is checked again when it is written: only then is it known whether the settings allow another
 * word of a choice.
 */
export const draftRowSchemas = once(() => {
  const rows = Object.entries<Entity>(entities).map(([list, { written }]) => {
    const words = written.filter(({ body }) => body?.words)
    const anyWord = words.map((field) => [field.name, anyWordSchema(field)])
    return [list, rowSchemas()[list as ListName].extend(Object.fromEntries(anyWord))]
  })
  return Object.fromEntries(rows) as RowSchemas
})

/** A schema that is built when it is first used: building all of them takes a tenth of a start. */
export function once<T>(build: () => T): () => T {
  let built: T | undefined
  return () => (built ??= build())
}

const countSchema = (max: number) => z.int().min(0).max(max).exactOptional()
const listCountsSchema = (max: number) =>
  z.strictObject(Object.fromEntries(countedListNames.map((list) => [list, countSchema(max)])))

/** How many rows can be generated at once, so that they fit into memory: in total, and in a list of large rows. */
const maxGeneratedRows = { total: 1_000_000, large: 100_000 }

/** The schema of the numbers of rows to generate, by list. */
export function generatedCountsSchema(lists: readonly string[]): z.ZodObject {
  const counts = lists.map((list) => {
    const count = z.int().min(0)
    const isSmall = list === 'annotations' || list === 'activity'
    return [list, (isSmall ? count : count.max(maxGeneratedRows.large)).exactOptional()]
  })
  return z.strictObject(Object.fromEntries(counts)).check(({ value, issues }) => {
    const total = Object.values(value).reduce((sum: number, count) => sum + Number(count), 0)
    if (total <= maxGeneratedRows.total) return
    const message = `expected at most ${maxGeneratedRows.total} generated rows in total`
    issues.push({ code: 'custom', message, input: value })
  })
}

/** The schema of a world file. */
export const worldSchema = once(() =>
  z.strictObject({
    $schema: z.string().exactOptional(),
    format_version: z.int().min(1).max(formatVersion).exactOptional(),
    now: timeSchema.exactOptional(),
    seed: z.int().exactOptional(),
    generate: generatedCountsSchema(['organizations', ...countedListNames]).exactOptional(),
    // One more than the highest id: the list has no room for another row.
    next_ids: listCountsSchema(maxId + 1).exactOptional(),
    issued_keys: countSchema(maxId),
    ...Object.fromEntries(
      worldLists.map((list) => [list, z.array(rowSchemas()[list]).exactOptional()]),
    ),
  }),
)

/** For JSON Schema: the required fields of the rows of each list. */
const completeLists = () =>
  worldLists.map((list) => {
    const { shape } = rowSchemas()[list]
    const required = Object.keys(shape).filter((name) => shape[name]?._zod.def.type !== 'optional')
    const properties = Object.fromEntries(required.map((name) => [name, {}]))
    return [list, { type: 'array', items: { type: 'object', properties, required } }] as const
  })

/**
 * The schema of a world as it is written: with `generate`, its rows can leave out fields. Only its JSON Schema requires
 * them without `generate`. Then `worldSchema` checks the world.
 */
export const writtenWorldSchema = once(() =>
  worldSchema()
    .extend(
      Object.fromEntries(
        worldLists.map((list) => [list, z.array(rowSchemas()[list].partial()).optional()]),
      ),
    )
    .meta({
      if: { type: 'object', properties: { generate: {} }, required: ['generate'] },
      else: { type: 'object', properties: Object.fromEntries(completeLists()) },
    }),
)

import * as z from 'zod'
import { once } from '../../utils/schema-issues.ts'
import { didYouMean } from '../../utils/usage-error.ts'
import { countedListNames, type ListName, worldLists } from '../table/lists.ts'
import {
  annotationScopes,
  creationTypes,
  formatVersion,
  maxId,
  maxLengths,
  pluginTypes,
  scopeObjects,
} from '../world-format.ts'
import type { RowJson, WorldJson } from '../world-json.ts'
import {
  idSchema,
  jsonObjectSchema,
  jsonValueSchema,
  textSchema,
  timeSchema,
  uniqueArraySchema,
  uuidSchema,
} from './field-schemas.ts'

/** Any address that the service stores: more than the format `email` of JSON Schema. */
const emailSchema = z.string().regex(/^[^\s@]+@[^\s@]+$/, { error: 'expected an e-mail address' })

const scopePattern = /^([a-z_]+:(read|write)|\*)$/
const knownScopes = scopeObjects.flatMap((object) => [`${object}:read`, `${object}:write`])

const keyScopeSchema = z
  .string()
  .meta({ pattern: scopePattern.source })
  .check(({ value, issues }) => {
    const isScope = scopePattern.test(value)
    // The service has scopes for other objects, too, so only typing errors are issues.
    const meant = didYouMean(value, knownScopes, isScope ? 2 : 3)
    if (isScope && meant === undefined) return
    const message = isScope
      ? 'expected a known scope'
      : 'expected a scope such as annotation:read, or *'
    issues.push({ code: 'custom', message, params: { meant }, input: value })
  })

/** The value of a key, which must fit into a header and a URL. */
export const keyValueSchema: z.ZodString = z
  .string()
  .regex(/^\S.*\S$/, { error: 'expected at least two characters, without surrounding white space' })
  .refine((text) => !/\p{Surrogate}/u.test(text), {
    error: 'expected well-formed Unicode, without lone surrogates',
  })

const pluginVersionSchema = z.strictObject({
  tag: z.string(),
  plugin_json: jsonObjectSchema,
  source: jsonObjectSchema,
})

/**
 * The schema of a row of each list, in the world format. Where a policy lets the service store any word, loading ignores
 * the issue of an unknown one.
 */
export const rowSchemas: () => { readonly [List in ListName]: z.ZodType<RowJson<List>> } = once(
  () =>
    ({
      organizations: z.strictObject({
        id: uuidSchema,
        name: z.string(),
        plugins_access_level: z.literal([0, 3, 6, 9]).exactOptional(),
      }),
      projects: z.strictObject({
        id: idSchema,
        organization: uuidSchema,
        name: z.string().exactOptional(),
        uuid: uuidSchema.exactOptional(),
        api_token: z.string().exactOptional(),
        timezone: z.string().exactOptional(),
        completed_snippet_onboarding: z.boolean().exactOptional(),
        has_completed_onboarding_for: jsonValueSchema.exactOptional(),
        ingested_event: z.boolean().exactOptional(),
        is_demo: z.boolean().exactOptional(),
        access_control: z.boolean().exactOptional(),
      }),
      users: z.strictObject({
        id: idSchema,
        uuid: uuidSchema,
        distinct_id: z.string().nullable(),
        first_name: z.string(),
        last_name: z.string(),
        email: emailSchema,
        is_email_verified: z.boolean().nullable(),
        hedgehog_config: jsonObjectSchema.nullable(),
        organizations: uniqueArraySchema(uuidSchema),
        is_active: z.boolean().exactOptional(),
        current_project: idSchema.nullable().exactOptional(),
      }),
      keys: z.strictObject({
        value: keyValueSchema,
        label: z.string().exactOptional(),
        user: idSchema,
        scopes: z.array(keyScopeSchema).nullable(),
        projects: z.array(idSchema).exactOptional(),
        organizations: z.array(uuidSchema).exactOptional(),
      }),
      dashboard_items: z.strictObject({
        id: idSchema,
        project: idSchema,
        short_id: z.string(),
        name: z.string().nullable(),
      }),
      plugins: z.strictObject({
        id: idSchema,
        plugin_type: z.enum([...pluginTypes, 'inline']).nullable(),
        name: textSchema(maxLengths.plugin.name).nullable(),
        description: z.string().nullable(),
        url: textSchema(maxLengths.plugin.url).nullable(),
        icon: textSchema(maxLengths.plugin.icon).nullable(),
        config_schema: jsonValueSchema,
        tag: textSchema(maxLengths.plugin.tag).nullable(),
        latest_tag: textSchema(maxLengths.plugin.latest_tag).nullable(),
        is_global: z.boolean(),
        organization: uuidSchema,
        capabilities: jsonValueSchema,
        metrics: jsonValueSchema,
        public_jobs: jsonValueSchema,
        source: jsonObjectSchema.exactOptional(),
        revision: z.int().min(0).exactOptional(),
      }),
      plugin_configs: z.strictObject({
        id: idSchema,
        plugin: idSchema,
        project: idSchema,
        enabled: z.boolean(),
        order: z.int(),
        config: jsonObjectSchema,
        name: z.string().nullable().exactOptional(),
        description: z.string().nullable().exactOptional(),
        deleted: z.boolean().exactOptional(),
        created_at: timeSchema.exactOptional(),
        updated_at: timeSchema.exactOptional(),
      }),
      repository: z.strictObject({
        name: z.string(),
        url: z.string(),
        description: z.string(),
        verified: z.boolean(),
        maintainer: z.string(),
        icon: z.string().exactOptional(),
        displayOnWebsiteLib: z.boolean().exactOptional(),
        type: z.string().exactOptional(),
        imageLink: z.string().exactOptional(),
        versions: z.array(pluginVersionSchema).exactOptional(),
      }),
      annotations: z.strictObject({
        id: idSchema,
        content: textSchema(maxLengths.annotation.content).nullable(),
        date_marker: timeSchema.nullable(),
        creation_type: z.enum(creationTypes),
        dashboard_item: idSchema.nullable(),
        created_by: idSchema.nullable(),
        created_at: timeSchema.nullable(),
        updated_at: timeSchema,
        deleted: z.boolean(),
        scope: z.enum(annotationScopes),
        project: idSchema,
      }),
      activity: z.strictObject({
        id: idSchema,
        user: idSchema.nullable(),
        organization: uuidSchema,
        project: idSchema.nullable(),
        activity: z.string(),
        scope: z.string(),
        item_id: z.string(),
        detail: jsonObjectSchema.exactOptional(),
        created_at: timeSchema,
      }),
    }) satisfies { [List in ListName]: { shape: Record<keyof RowJson<List>, z.ZodType> } },
)

/** The schema of a row as an object, to choose among its fields. */
export function objectSchema(list: ListName): z.ZodObject {
  return rowSchemas()[list] as unknown as z.ZodObject
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
export const worldSchema: () => z.ZodType<WorldJson> = once(() =>
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
    const { shape } = objectSchema(list)
    const required = Object.keys(shape).filter((name) => shape[name]?._zod.def.type !== 'optional')
    const properties = Object.fromEntries(required.map((name) => [name, {}]))
    return [list, { type: 'array', items: { type: 'object', properties, required } }] as const
  })

/**
 * The schema of a world as it is written: with `generate`, its rows can leave out fields. Only its JSON Schema requires
 * them without `generate`. Then `worldSchema` checks the world.
 */
export const writtenWorldSchema: () => z.ZodObject = once(() =>
  (worldSchema() as unknown as z.ZodObject)
    .extend(
      Object.fromEntries(
        worldLists.map((list) => [list, z.array(objectSchema(list).partial()).optional()]),
      ),
    )
    .meta({
      if: { type: 'object', properties: { generate: {} }, required: ['generate'] },
      else: { type: 'object', properties: Object.fromEntries(completeLists()) },
    }),
)

import { Failure } from '../../http/failures.ts'
import {
  type BodySchema,
  bodyOfFields,
  type Field,
  ignoredField,
  nullableField,
} from '../../http/fields/field.ts'
import {
  booleanField,
  type ChoiceValues,
  choiceField,
  jsonField,
  textField,
} from '../../http/fields/field-types.ts'
import { anyJson, recordOf, type Shape } from '../../http/fields/shape.ts'
import { byPolicy, type Resolvable } from '../../policies/by-policy.ts'
import { isObject } from '../../utils/json.ts'
import type { Json, Mutable, PluginRow, SourceFiles } from '../../world/rows.ts'
import { isJson, maxLengths, pluginTypes } from '../../world/world-format.ts'
import { truncate } from './plugin.ts'

/** The request body to change a plugin. Every field is optional. */
export type PluginChanges = Mutable<
  Partial<Omit<PluginRow, 'id' | 'url' | 'latest_tag' | 'organization' | 'source' | 'revision'>>
>

/** The request body to create a plugin. `url` is read only if the policies install plugins from it. */
export interface NewPlugin extends PluginChanges {
  url?: string | null
}

const pluginTypeChoices: Resolvable<ChoiceValues> = byPolicy('plugins.plugin_type.values', {
  observed: pluginTypes,
  with_inline: [...pluginTypes, 'inline'],
  any: 'any',
})

const url: Resolvable<Field<string | null>> = byPolicy('plugins.create.install', {
  stored_as_given: ignoredField,
  from_url: nullableField(textField(maxLengths.plugin.url)),
})

const beforeUrl = {
  plugin_type: nullableField(choiceField(pluginTypeChoices)),
  name: nullableField(textField(maxLengths.plugin.name)),
  description: nullableField(textField()),
}
const afterUrl = {
  icon: nullableField(textField(maxLengths.plugin.icon)),
  config_schema: nullableField(
    jsonField('plugins.config_schema.structure', isConfigSchema),
    (settings) => settings['plugins.config_schema.null'] === 'accepted',
  ),
  tag: nullableField(textField(maxLengths.plugin.tag)),
  is_global: booleanField,
  capabilities: nullableField(
    jsonField('plugins.capabilities.structure', isCapabilities),
    (settings) => settings['plugins.capabilities.null'] === 'accepted',
  ),
  // The documentation and the live service agree that these two can be null.
  metrics: nullableField(jsonField('plugins.metrics.structure', isMetrics), () => true),
  public_jobs: nullableField(jsonField('plugins.public_jobs.structure', isPublicJobs), () => true),
}

export const pluginChanges: BodySchema<PluginChanges> = bodyOfFields({ ...beforeUrl, ...afterUrl })

export const newPlugin: BodySchema<NewPlugin> = bodyOfFields(
  { ...beforeUrl, url, ...afterUrl },
  byPolicy('plugins.create.required', { none: [], name: ['name'], url: ['url'] }),
)

// The structures that were seen in the live service.

const fieldTypes = ['string', 'attachment', 'choice', 'json']

/** A list of field objects, or field objects by name. */
function isConfigSchema(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((entry) => isConfigField(entry))
  return isObject(value) && Object.values(value).every((entry) => isConfigField(entry))
}

/** `{ markdown }`, or a field of a known type. */
function isConfigField(entry: unknown): boolean {
  if (!isObject(entry)) return false
  return typeof entry.markdown === 'string' || fieldTypes.includes(entry.type as string)
}

/** `{}` until the plugin is analysed, then lists of names. */
function isCapabilities(value: unknown): boolean {
  const known = ['methods', 'jobs', 'scheduled_tasks']
  return (
    isObject(value) &&
    Object.entries(value).every(
      ([name, list]) =>
        known.includes(name) &&
        Array.isArray(list) &&
        list.every((item) => typeof item === 'string'),
    )
  )
}

/** `sum`, `max` or `min` by name. */
function isMetrics(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.values(value).every((kind) => ['sum', 'max', 'min'].includes(kind as string))
  )
}

/** `{ payload }` by job name. */
function isPublicJobs(value: unknown): boolean {
  return (
    isObject(value) && Object.values(value).every((job) => isObject(job) && isObject(job.payload))
  )
}

export const sourceFilesShape: Shape<SourceFiles> = recordOf(anyJson)

/** Texts by file name; null removes a file. Seen in the live service: a text can be any JSON value. */
export const sourceFilesBody: BodySchema<SourceFiles> = {
  fields: {},
  required: [],
  schema: sourceFilesShape,
  read: (value, reading) => {
    bodyOfFields({}).read(value, reading)
    const files = (value ?? {}) as SourceFiles
    const invalid = Object.keys(files).find((name) => !isJson(files[name]))
    if (invalid === undefined) return files
    throw new Failure('validation_error', 'Value must be valid JSON.', { attr: invalid })
  },
}

/** The fields of a plugin that editing its source files changes: the files, and those that plugin.json defines. */
export function applySourceChanges(
  plugin: PluginRow,
  changes: SourceFiles,
): Pick<PluginRow, 'source' | 'name' | 'config_schema'> {
  const files = Object.entries({ ...plugin.source, ...changes })
  const source = Object.fromEntries(files.filter(([, text]) => text !== null))
  const { name, config } = readPluginJson(source['plugin.json'])
  return {
    source,
    name: typeof name === 'string' ? truncate(name, maxLengths.plugin.name) : plugin.name,
    config_schema: config ?? plugin.config_schema,
  }
}

/** An invalid plugin.json changes nothing. The live service responds with a 500. */
function readPluginJson(text: Json | undefined): { name?: Json; config?: Json } {
  if (typeof text !== 'string') return {}
  try {
    const json: unknown = JSON.parse(text)
    return isObject(json) && isJson(json) ? (json as { name?: Json; config?: Json }) : {}
  } catch {
    return {}
  }
}

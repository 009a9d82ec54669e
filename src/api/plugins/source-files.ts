import { Failure } from '../../http/failures.ts'
import type { BodySchema } from '../../http/fields/body-schema.ts'
import { bodyOfFields } from '../../http/fields/body-schema.ts'
import { anyJson, recordOf, type Shape } from '../../http/fields/shape.ts'
import { isObject } from '../../utils/json.ts'
import type { Json, PluginRow, SourceFiles } from '../../world/rows.ts'
import { isJson, maxLengths } from '../../world/world-format.ts'
import { truncate } from './plugin.ts'

export const sourceFilesShape: Shape<SourceFiles> = recordOf(anyJson)

/** File name to text; null removes a file (observed §5.6). Any JSON that can be written is taken for a text. */
export const sourceFilesBody: BodySchema<SourceFiles> = {
  fields: {},
  required: [],
  schema: sourceFilesShape,
  read: (value, reading) => {
    bodyOfFields({}).read(value, reading)
    const files = (value ?? {}) as SourceFiles
    const bad = Object.keys(files).find((name) => !isJson(files[name]))
    if (bad === undefined) return files
    throw new Failure('validation_error', 'Value must be valid JSON.', { attr: bad })
  },
}

/** What editing source files changes in a plugin: the files, and what its plugin.json says from then on. */
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

/** Where the service crashes, on a plugin.json that is no JSON it can store, the plugin keeps what it had. */
function readPluginJson(text: Json | undefined): { name?: Json; config?: Json } {
  if (typeof text !== 'string') return {}
  try {
    const read: unknown = JSON.parse(text)
    return isObject(read) && isJson(read) ? (read as { name?: Json; config?: Json }) : {}
  } catch {
    return {}
  }
}

import { Failure } from '../../http/failures.ts'
import {
  anyJson,
  type BodySchema,
  recordOf,
  requireObject,
  type Shape,
} from '../../http/fields/body-fields.ts'
import { isObject, type Json, tryParseJson } from '../../utils/json.ts'
import { parseJson } from '../../utils/python-json.ts'
import { type PluginRow, plugin, type SourceFiles } from '../../world/entities/plugin.ts'
import { isJson } from '../../world/world-format.ts'
import { truncate } from './plugin.ts'

export const sourceFilesShape: Shape<SourceFiles> = recordOf(anyJson)

/** Texts by file name; null removes a file. Seen in the live service: a text can be any JSON value. */
export const sourceFilesBody: BodySchema<SourceFiles> = {
  fields: {},
  required: [],
  schema: sourceFilesShape,
  read({ value }) {
    const files = requireObject(value) as SourceFiles
    const invalid = Object.keys(files).find((name) => !isJson(files[name]))
    if (invalid === undefined) return files
    throw new Failure('validation_error', 'Value must be valid JSON.', { attr: invalid })
  },
}

/** The fields of a plugin that editing its source files changes: the files, and those that plugin.json defines. */
export function applySourceChanges(
  row: PluginRow,
  changes: SourceFiles,
): Pick<PluginRow, 'source' | 'name' | 'config_schema'> {
  const files = Object.entries({ ...row.source, ...changes })
  const source = Object.fromEntries(files.filter(([, text]) => text !== null))
  const { name, config } = readPluginJson(source['plugin.json'])
  return {
    source,
    name: typeof name === 'string' ? truncate(name, plugin.fields.name) : row.name,
    config_schema: config ?? row.config_schema,
  }
}

/** An invalid plugin.json changes no field. */
function readPluginJson(text: Json | undefined): { name?: Json; config?: Json } {
  const json = typeof text === 'string' ? tryParseJson(text)?.value : undefined
  return isObject(json) && isJson(json) ? (json as { name?: Json; config?: Json }) : {}
}

/** Whether Python can parse plugin.json, which allows `NaN`. Also true without this file, and for another value than a text. */
export function isPluginJson({ 'plugin.json': text }: SourceFiles): boolean {
  if (typeof text !== 'string') return true
  try {
    parseJson(text, () => {})
    return true
  } catch {
    return false
  }
}

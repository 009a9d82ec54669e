import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { Failure } from '../../http/failures.ts'
import { type BodySchema, requireObject } from '../../http/fields/body-fields.ts'
import { bodyFailures } from '../../http/input.ts'
import { isObject, type Json, tryParseJson } from '../../utils/json.ts'
import { parseJson } from '../../utils/python-json.ts'
import {
  type PluginChanges,
  type PluginRow,
  plugin,
  type SourceFiles,
} from '../../world/entities/plugin.ts'
import { isJson } from '../../world/world-format.ts'
import {
  byBody,
  changePlugin,
  crashed,
  findPluginToChange,
  otherScope,
  pluginChanges,
  pluginParams,
  pluginShape,
  savePlugin,
  truncate,
} from './plugin.ts'
import { sourceFilesShape } from './retrieve-source.ts'

/** Texts by file name; null removes a file. As the service's source has it: a text can be any JSON value. */
const sourceFilesBody: BodySchema<SourceFiles> = {
  fields: {},
  required: [],
  schema: sourceFilesShape,
  read({ body }) {
    const files = requireObject(body.value) as SourceFiles
    const invalid = Object.keys(files).find((name) => !isJson(files[name]))
    if (invalid === undefined) return files
    throw new Failure('validation_error', 'Value must be valid JSON.', { attr: invalid })
  },
}

/** The body has fields of the plugin. By setting it has source files, as in the live service. */
export const updatePluginSource: Operation = defineEndpoint({
  operation: 'updatePluginSource',
  list: 'plugins',
  summary: 'Change the source of a plugin.',

  method: 'PATCH',
  path: '/api/organizations/:organization_id/plugins/:id/update_source',
  scope: otherScope('plugin:write'),

  params: pluginParams,
  body: byBody<BodySchema<unknown>, BodySchema<unknown>>(pluginChanges, sourceFilesBody),
  status: 200,
  response: byBody(pluginShape, sourceFilesShape),
  errors: ['not_found', ...bodyFailures],

  find: findPluginToChange,
  handle({ row, organization, body }, context) {
    if (context.settings['plugins.other.body'] === 'plugin') {
      return changePlugin(row, organization, body as PluginChanges, context)
    }
    const changed = { ...row, ...applySourceChanges(row, body as SourceFiles) }
    savePlugin(changed, context)
    if (!isPluginJson(changed.source)) throw crashed('plugin.json is not JSON')
    return changed.source
  },
})

/** The fields of a plugin that editing its source files changes: the files, and those that plugin.json defines. */
function applySourceChanges(
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
function readPluginJson(text: Json | undefined) {
  const json = typeof text === 'string' ? tryParseJson(text)?.value : undefined
  return isObject(json) && isJson(json) ? (json as { name?: Json; config?: Json }) : {}
}

/** Whether Python can parse plugin.json, which allows `NaN`. Also true without this file, and for another value than a text. */
function isPluginJson({ 'plugin.json': text }: SourceFiles) {
  if (typeof text !== 'string') return true
  try {
    parseJson(text, () => {})
    return true
  } catch {
    return false
  }
}

import { type ApiContext, defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { listOf, type Shape } from '../../http/fields/body-fields.ts'
import { type JsonText, joinJsonRows, toJsonText } from '../../utils/json.ts'
import { type Field, usualValue } from '../../world/entities/field.ts'
import { type Plugin, type PluginRow, plugin } from '../../world/entities/plugin.ts'
import type { OrganizationRow } from '../../world/rows.ts'
import { byBody, organizationParams, otherScope, pluginShape, pluginWriter } from './plugin.ts'

interface OtherList<Row> extends Pick<Operation, 'operation' | 'list'> {
  readonly summary: string
  /** The last segment of the path */
  readonly name: string
  readonly row: Shape<Row>
  readonly rows: (organization: OrganizationRow, context: ApiContext) => Row[]
  /** The plugin of a response that has one. Undefined if there is none */
  readonly first: (organization: OrganizationRow, context: ApiContext) => PluginRow | undefined
}

/** Defines a list of an organization. By setting, the response is one plugin, or all rows. */
export function defineOtherList<Row>(extra: OtherList<Row>): Operation {
  const { operation, list, summary, name, row, first } = extra
  return defineEndpoint({
    ...{ operation, list, summary },
    method: 'GET',
    path: `/api/organizations/:organization_id/plugins/${name}`,
    scope: otherScope('plugin:read'),
    params: organizationParams,
    status: 200,
    response: byBody(pluginShape, listOf(row)),
    errors: [],
    handle({ organization }, context) {
      if (context.settings['plugins.other.body'] === 'plugin')
        return writePluginIfAny(first(organization, context), organization, context)
      return joinJsonRows(extra.rows(organization, context).map(toJsonText))
    },
  })
}

/**
 * Writes a plugin, or an empty one: the documentation promises 200 and the fields of a plugin. No field of it is null, since
 * the documentation does not say that texts can be null.
 */
export function writePluginIfAny(
  row: PluginRow | undefined,
  { id: organization_id, name: organization_name }: OrganizationRow,
  context: ApiContext,
): JsonText<Plugin> {
  if (row) return pluginWriter(context).write(row)
  const usual = Object.values<Field>(plugin.fields)
    .filter(({ sent }) => sent !== false)
    .map((field) => [field.name, usualValue(field) ?? ''])
  const named = { id: 0, plugin_type: 'local', organization_id, organization_name }
  return toJsonText({ ...Object.fromEntries(usual), ...named })
}

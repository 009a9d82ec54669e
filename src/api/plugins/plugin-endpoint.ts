import { type ApiCaller, defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { listOf, type Shape } from '../../http/fields/body-fields.ts'
import type { OperationId } from '../../http/operation-id.ts'
import {
  ignoredParameter,
  limitParameter,
  offsetParameter,
  pageShape,
  sliceRows,
} from '../../http/parameters.ts'
import { bySetting } from '../../settings/by-setting.ts'
import { type JsonText, joinJsonRows } from '../../utils/json.ts'
import type { Plugin, PluginRow } from '../../world/entities/plugin.ts'
import type { OrganizationRow } from '../../world/rows.ts'
import { byBody, extraScope, organizationParams, pluginShape } from './plugin.ts'
import type { Plugins } from './plugins.ts'

export interface PluginsWorld {
  readonly plugins: Plugins
}

type FindPlugin = (
  input: {
    readonly organization: OrganizationRow
    readonly params: { readonly id: number }
    readonly caller: ApiCaller
  },
  world: PluginsWorld,
) => PluginRow

export const findVisiblePlugin: FindPlugin = ({ organization, params }, { plugins }) =>
  plugins.findVisible(organization, params.id)

/** Finds the plugin of the path among those that the organization owns. */
export const findOwnPlugin: FindPlugin = ({ organization, params }, { plugins }) =>
  plugins.findOwn(organization, params.id)

export const findPluginToChange: FindPlugin = ({ organization, params, caller }, { plugins }) =>
  plugins.findToChange(organization, params.id, caller)

interface ExtraList<Row> {
  readonly id: OperationId
  readonly summary: string
  /** The last segment of the path */
  readonly name: string
  readonly row: Shape<Row>
  readonly rows: (plugins: Plugins, organization: OrganizationRow) => JsonText<Row>[]
  /** The response of one plugin */
  readonly first: (plugins: Plugins, organization: OrganizationRow) => JsonText<Plugin>
}

const ignored = ignoredParameter(0)

/** Defines a list of an organization. By setting, the response is one plugin, all rows, or a page of them. */
export function defineExtraList<Row>(list: ExtraList<Row>): Endpoint<PluginsWorld> {
  const { id, summary, name, row, rows, first } = list
  return defineEndpoint({
    id,
    summary,
    method: 'GET',
    path: `/api/organizations/:organization_id/plugins/${name}`,
    scope: extraScope('plugin:read'),
    params: organizationParams,
    query: {
      limit: byBody(ignored, ignored, limitParameter('plugins.list.limit.default')),
      offset: byBody(ignored, ignored, offsetParameter),
    },
    status: 200,
    response: byBody(pluginShape, listOf(row), pageShape(row)),
    errors: bySetting('plugins.extras.none', { empty_plugin: [], not_found: ['not_found'] }),
    handle({ organization, query, settings }, { plugins }: PluginsWorld) {
      switch (settings['plugins.extras.body']) {
        case 'plugin':
          return first(plugins, organization)
        case 'own':
          return joinJsonRows(rows(plugins, organization))
        case 'envelope':
          return sliceRows(rows(plugins, organization), query)
      }
    },
  })
}

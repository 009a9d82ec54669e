import type { ApiCaller, Endpoint } from '../../http/endpoint.ts'
import { listOf, type Shape, type ShapeOrSchema } from '../../http/fields/body-fields.ts'
import {
  ignoredParameter,
  type LimitOffset,
  limitParameter,
  offsetParameter,
  pageShape,
  sliceRows,
} from '../../http/parameters.ts'
import { type ByPolicy, byPolicy } from '../../policies/by-policy.ts'
import { type JsonText, joinJsonRows } from '../../utils/json.ts'
import type { Plugin, PluginRow } from '../../world/entities/plugin.ts'
import type { OrganizationRow } from '../../world/rows.ts'
import { organizationParams, pluginShape } from './plugin.ts'
import type { Plugins } from './plugins.ts'

export interface PluginsWorld {
  readonly plugins: Plugins
}

/** The input of handlers that a policy selects. */
export interface PluginInput {
  readonly organization: OrganizationRow
  readonly subject: PluginRow
  readonly body: unknown
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
  readonly id: string
  readonly summary: string
  /** The last segment of the path, which is also the name of the list in its policies */
  readonly name: 'exports_unsubscribe_configs' | 'repository' | 'unused'
  /** The setting under which the response is a list without pagination */
  readonly plainSetting: string
  readonly row: Shape<Row>
  readonly rows: (plugins: Plugins, organization: OrganizationRow) => JsonText<Row>[]
  /** The response under the setting `plugin` */
  readonly first: (plugins: Plugins, organization: OrganizationRow) => JsonText<Plugin>
}

type Handle = (
  input: { readonly organization: OrganizationRow; readonly query: LimitOffset },
  world: PluginsWorld,
) => unknown

const ignored = ignoredParameter(0)

/** Defines a list of an organization. By policy, the response is one plugin, all rows, or a page of them. */
export function defineExtraList<Row>(list: ExtraList<Row>): Endpoint<PluginsWorld> {
  const { id, summary, name, plainSetting, row, rows, first } = list
  const byBody = <T>(plugin: T, plain: T, envelope: T): ByPolicy<Readonly<Record<string, T>>> => ({
    policy: `plugins.${name}.body`,
    choices: { plugin, [plainSetting]: plain, envelope },
  })
  return {
    id,
    summary,
    method: 'GET',
    path: `/api/organizations/:organization_id/plugins/${name}`,
    scope: byPolicy(`plugins.${name}.scope`),
    params: organizationParams,
    query: {
      limit: byBody(ignored, ignored, limitParameter('plugins.list.limit.default')),
      offset: byBody(ignored, ignored, offsetParameter),
    },
    status: 200,
    response: byBody<ShapeOrSchema<unknown>>(pluginShape, listOf(row), pageShape(row)),
    errors: byPolicy('plugins.extras.none', { empty_plugin: [], not_found: ['not_found'] }),
    handle: byBody<Handle>(
      ({ organization }, { plugins }) => first(plugins, organization),
      ({ organization }, { plugins }) => joinJsonRows(rows(plugins, organization)),
      ({ organization, query }, { plugins }) => sliceRows(rows(plugins, organization), query),
    ),
  }
}

import type { ApiCaller } from '../../http/endpoint.ts'
import type { LimitOffset } from '../../http/parameters.ts'
import {
  ignoredParameter,
  limitParameter,
  offsetParameter,
  type Parameter,
} from '../../http/parameters.ts'
import type { ByPolicy } from '../../policies/by-policy.ts'
import type { PolicyId } from '../../policies/policies.ts'
import type { OrganizationRow, PluginRow } from '../../world/rows.ts'
import type { TableEntry } from '../../world/table/table-indexes.ts'
import type { Plugins } from './plugins.ts'

export interface PluginsWorld {
  readonly plugins: Plugins
}

/** The input of handlers that a policy selects, for the plugins of an organization. */
export interface PluginListInput {
  readonly organization: OrganizationRow
  readonly query: LimitOffset
}

export interface PluginActivityInput extends PluginListInput {
  readonly caller: ApiCaller
  readonly query: LimitOffset & { readonly page: number }
  readonly url: string
}

export interface PluginInput {
  readonly organization: OrganizationRow
  readonly subject: TableEntry<PluginRow>
  readonly body: unknown
}

interface LookupInput {
  readonly organization: OrganizationRow
  readonly params: { readonly id: number }
  readonly caller: ApiCaller
}

export function findVisiblePlugin(
  { organization, params }: LookupInput,
  { plugins }: PluginsWorld,
): TableEntry<PluginRow> {
  return plugins.findVisible(organization, params.id)
}

/** Finds the plugin of the path among those that the organization owns. */
export function findOwnPlugin(
  { organization, params }: LookupInput,
  { plugins }: PluginsWorld,
): TableEntry<PluginRow> {
  return plugins.findOwn(organization, params.id)
}

export function findPluginToChange(
  { organization, params, caller }: LookupInput,
  { plugins }: PluginsWorld,
): TableEntry<PluginRow> {
  return plugins.findToChange(organization, params.id, caller)
}

type ParameterChoices = Readonly<Record<string, Parameter<number>>>

const pagination = { limit: limitParameter('plugins.list.limit.default'), offset: offsetParameter }

/**
 * The parameters limit and offset of a list that is paginated only under the setting `envelope` of a policy. The other
 * settings, `plugin` and one more, ignore them.
 */
export function paginationByPolicy(
  policy: PolicyId,
  otherSetting: string,
): { readonly limit: ByPolicy<ParameterChoices>; readonly offset: ByPolicy<ParameterChoices> } {
  const choices = (envelope: Parameter<number>): ByPolicy<ParameterChoices> => ({
    policy,
    choices: { plugin: ignoredParameter(0), [otherSetting]: ignoredParameter(0), envelope },
  })
  return { limit: choices(pagination.limit), offset: choices(pagination.offset) }
}

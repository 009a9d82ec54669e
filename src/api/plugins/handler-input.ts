import type { ApiCaller } from '../../http/authenticate.ts'
import type { LimitOffset } from '../../http/page.ts'
import {
  ignoredParameter,
  limitParameter,
  offsetParameter,
  type Parameter,
} from '../../http/parameters.ts'
import type { ByPolicy } from '../../policies/by-policy.ts'
import type { PolicyId } from '../../policies/policies.ts'
import type { OrganizationRow, PluginRow } from '../../world/rows.ts'
import type { TableEntry } from '../../world/table/entry.ts'
import type { PluginExtras } from './plugin-extras.ts'
import type { Plugins } from './plugins.ts'

/** What endpoints on plugins work with. */
export interface PluginsWorld {
  readonly plugins: Plugins
  readonly extras: PluginExtras
}

/** What the answers to choose from are given, on the plugins of an organization … */
export interface PluginListInput {
  readonly organization: OrganizationRow
  readonly query: LimitOffset
}

/** … on its activity … */
export interface PluginActivityInput extends PluginListInput {
  readonly caller: ApiCaller
  readonly query: LimitOffset & { readonly page: number }
  readonly url: string
}

/** … and on one plugin. */
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

/** The plugin of the path, as the organization sees it. */
export function findVisiblePlugin(
  { organization, params }: LookupInput,
  { plugins }: PluginsWorld,
): TableEntry<PluginRow> {
  return plugins.findVisible(organization, params.id)
}

/** The plugin of the path, if the organization owns it. */
export function findOwnPlugin(
  { organization, params }: LookupInput,
  { plugins }: PluginsWorld,
): TableEntry<PluginRow> {
  return plugins.findOwn(organization, params.id)
}

/** The plugin of the path, if the caller may change it. */
export function findPluginToChange(
  { organization, params, caller }: LookupInput,
  { plugins }: PluginsWorld,
): TableEntry<PluginRow> {
  return plugins.findToChange(organization, params.id, caller)
}

type ParameterChoices = Readonly<Record<string, Parameter<number>>>

const pagination = { limit: limitParameter('plugins.list.limit.default'), offset: offsetParameter }

/**
 * The part of a list that is asked for, where a policy answers a page of it: an answer that is one plugin, or
 * all there are, has no use for limit and offset.
 */
export function paginationByPolicy(
  policy: PolicyId,
  whole: string,
): { readonly limit: ByPolicy<ParameterChoices>; readonly offset: ByPolicy<ParameterChoices> } {
  const choices = (given: Parameter<number>): ByPolicy<ParameterChoices> => ({
    policy,
    choices: { plugin: ignoredParameter(0), [whole]: ignoredParameter(0), envelope: given },
  })
  return { limit: choices(pagination.limit), offset: choices(pagination.offset) }
}

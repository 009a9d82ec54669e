import type { Endpoint } from '../http/endpoint.ts'
import { listPluginActivity } from './activity.ts'
import { checkPluginForUpdates } from './check-for-updates.ts'
import { createPlugin } from './create.ts'
import { deletePlugin } from './delete.ts'
import { listExportsUnsubscribeConfigs } from './exports-unsubscribe-configs.ts'
import { listPlugins } from './list.ts'
import { replacePlugin } from './replace.ts'
import { listPluginRepository } from './repository.ts'
import { retrievePlugin } from './retrieve.ts'
import { retrievePluginSource } from './source.ts'
import { listUnusedPlugins } from './unused.ts'
import { updatePlugin } from './update.ts'
import { updatePluginSource } from './update-source.ts'
import { upgradePlugin } from './upgrade.ts'
import type { PluginsWorld } from './world.ts'

/** Every endpoint on plugins; each asks for the organization's access level first. */
export const pluginEndpoints: readonly Endpoint<PluginsWorld>[] = [
  listPlugins,
  createPlugin,
  retrievePlugin,
  replacePlugin,
  updatePlugin,
  deletePlugin,
  checkPluginForUpdates,
  retrievePluginSource,
  updatePluginSource,
  upgradePlugin,
  listPluginActivity,
  listExportsUnsubscribeConfigs,
  listPluginRepository,
  listUnusedPlugins,
].map((endpoint) => ({
  ...endpoint,
  checkPermission: ({ organization, method }, { plugins }) =>
    plugins.requireAccessLevel(organization, method),
}))

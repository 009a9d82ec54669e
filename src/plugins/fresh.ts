import { Failure } from '../errors.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { ownPluginIndexes } from '../world/list-names.ts'
import { pluginDefaults } from '../world/row-defaults.ts'
import type { OrganizationRow, PluginRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'
import type { NewPlugin } from './changes.ts'
import { resolveArchive } from './install.ts'
import { stripQuery } from './texts.ts'

type NewPluginRow = Omit<PluginRow, 'id' | 'revision'>

/**
 * The plugin that a body creates: stored as it is given, or installed from its url, by the policy
 * `plugins.create.install` (observed §5.2).
 */
export function createPluginRow(
  body: NewPlugin,
  organization: OrganizationRow,
  tables: Tables,
  settings: PolicySettings,
): NewPluginRow {
  const given = {
    ...pluginDefaults,
    ...body,
    organization: organization.id,
    source: {},
  }
  if (settings['plugins.create.install'] === 'stored_as_given') return { ...given, url: null }
  if (body.url) refuseInstalledUrl(body.url, organization, tables)
  if (body.plugin_type === 'source') return given
  if (body.url) return installFromUrl(given, body.url, tables)
  switch (settings['plugins.create.without_url']) {
    case 'server_error':
      throw new Failure('server_error')
    case 'refused':
      throw new Failure('validation_error', 'This field is required.', {
        attr: 'url',
        code: 'required',
      })
    case 'stored':
      return given
  }
}

/**
 * A url is there once in an organization, whatever its query (observed §5, §5.2). The service says so where it
 * installs; of a source plugin its database refuses the url, and the service crashes.
 *
 * @throws Failure `validation_error` for a url that a plugin of the organization already has
 */
function refuseInstalledUrl(url: string, { id }: OrganizationRow, tables: Tables): void {
  const owned = tables.plugins.list(ownPluginIndexes(id)).slice(0, Number.POSITIVE_INFINITY)
  const plain = stripQuery(url)
  if (owned.every(({ row }) => row.url === null || stripQuery(row.url) !== plain)) return
  throw new Failure('validation_error', `Plugin from URL "${plain}" already installed!`)
}

function installFromUrl(given: NewPluginRow, url: string, tables: Tables): NewPluginRow {
  const { plugin_type } = given
  const type = url.startsWith('file:')
    ? 'local'
    : plugin_type === 'repository'
      ? plugin_type
      : 'custom'
  return { ...given, ...resolveArchive(url, tables), plugin_type: type, url }
}

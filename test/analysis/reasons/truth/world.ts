import type { WorldJson } from '../../../../src/world/world-json.ts'
import { acme, initech } from '../../../support/api/paths.ts'
import { twoOrganizations } from '../../../support/api/two-organizations.ts'

/** Organizations of Ada with low access levels: one may not read plugins, the other only read them. */
const quiet = '018f2b6e-0000-7000-8000-00000000000c'
const readers = '018f2b6e-0000-7000-8000-00000000000d'

/** What a path of the tables may name in braces. */
export const organizationIds: Readonly<Record<string, string>> = {
  initech,
  quiet,
  readers,
  unknown: '018f2b6e-0000-7000-8000-0000000000ff',
}

const [, , ownPlugin] = twoOrganizations.plugins ?? []

const plugin = (id: number, organization: string, is_global: boolean) => ({
  ...ownPlugin,
  id,
  organization,
  is_global,
})

/** The world `twoOrganizations`, with a global plugin in each organization, and two organizations with low access levels. */
export const truthWorld = {
  ...twoOrganizations,
  organizations: [
    ...(twoOrganizations.organizations ?? []),
    { id: quiet, name: 'Quiet', plugins_access_level: 0 },
    { id: readers, name: 'Readers', plugins_access_level: 3 },
  ],
  users: twoOrganizations.users?.map((user) =>
    user.id === 1
      ? { ...user, organizations: [...(user.organizations ?? []), quiet, readers] }
      : user,
  ),
  plugins: [
    ...(twoOrganizations.plugins ?? []),
    plugin(25, acme, true),
    plugin(41, initech, true),
    plugin(42, initech, false),
    plugin(51, quiet, false),
  ],
} as unknown as WorldJson

import { Failure } from '../../http/failures.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import type { OrganizationRow } from '../../world/rows.ts'

/** The levels of `plugins_access_level` (observed §5). */
const levels = { configure: 3, install: 6, root: 9 }

const readMethods = ['GET', 'HEAD', 'OPTIONS']

/** Reading asks for level 3, anything else for 6. @throws Failure `permission_denied` below it */
export function requireAccessLevel(
  organization: OrganizationRow,
  method: string,
  settings: PolicySettings,
): void {
  const needed = readMethods.includes(method) ? levels.configure : levels.install
  requireLevel(
    organization,
    needed,
    settings,
    "Your organization's plugin access level is insufficient.",
  )
}

/** What a GET asks for that does what only installers may. @throws Failure `permission_denied` below level 6 */
export function requireInstallLevel(
  organization: OrganizationRow,
  what: 'Plugin installation' | 'Plugin source editing' | 'Plugin upgrading',
  settings: PolicySettings,
): void {
  const detail = `${what} is not available for the current organization!`
  requireLevel(organization, levels.install, settings, detail)
}

/** Only level 9 may say whether a plugin is global. @throws Failure `permission_denied` below it */
export function requireRootLevel(organization: OrganizationRow, settings: PolicySettings): void {
  requireLevel(
    organization,
    levels.root,
    settings,
    "This organization can't manage global plugins!",
  )
}

function requireLevel(
  organization: OrganizationRow,
  needed: number,
  settings: PolicySettings,
  detail: string,
): void {
  if (settings['plugins.access_level'] === 'ignored') return
  if (organization.plugins_access_level < needed) throw new Failure('permission_denied', detail)
}

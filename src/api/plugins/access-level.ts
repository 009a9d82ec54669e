import { Failure } from '../../http/failures.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import type { OrganizationRow } from '../../world/rows.ts'

/** The levels of `plugins_access_level`. */
const levels = { configure: 3, install: 6, root: 9 }

const readMethods = ['GET', 'HEAD', 'OPTIONS']

/** Requires level 3 to read, and level 6 for everything else. @throws Failure `permission_denied` */
export function requireAccessLevel(
  organization: OrganizationRow,
  method: string,
  settings: PolicySettings,
): void {
  const level = readMethods.includes(method) ? levels.configure : levels.install
  requireLevel(
    organization,
    level,
    settings,
    "Your organization's plugin access level is insufficient.",
  )
}

/** Requires level 6, for GET operations that only installers can use. @throws Failure `permission_denied` */
export function requireInstallLevel(
  organization: OrganizationRow,
  feature: 'Plugin installation' | 'Plugin source editing' | 'Plugin upgrading',
  settings: PolicySettings,
): void {
  const detail = `${feature} is not available for the current organization!`
  requireLevel(organization, levels.install, settings, detail)
}

/** Requires level 9, to make a plugin global or local. @throws Failure `permission_denied` */
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
  level: number,
  settings: PolicySettings,
  detail: string,
): void {
  if (settings['plugins.access_level'] === 'ignored') return
  if (organization.plugins_access_level < level) throw new Failure('permission_denied', detail)
}

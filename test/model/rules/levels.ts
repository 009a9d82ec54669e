import type { Organization } from '../rows.ts'
import { denied } from './answers.ts'
import type { Call } from './call.ts'

/** What the plugins_access_level of an organization allows. Only `live` looks at it. */
const [configure, install, root] = [3, 6, 9]

const reaches = ({ live }: Call, { plugins_access_level }: Organization, level: number): boolean =>
  !live || plugins_access_level >= level

/** The first gate of every path of plugins. */
export function requireLevel(call: Call, organization: Organization): void {
  const isRead = ['GET', 'OPTIONS'].includes(call.method)
  if (reaches(call, organization, isRead ? configure : install)) return
  throw denied("Your organization's plugin access level is insufficient.")
}

/** Some operations that read need the level of writing, too. */
export function requireInstalling(call: Call, organization: Organization, reason: string): void {
  if (reaches(call, organization, install)) return
  throw denied(`Plugin ${reason} is not available for the current organization!`)
}

export function requireRoot(call: Call, organization: Organization): void {
  if (reaches(call, organization, root)) return
  throw denied("This organization can't manage global plugins!")
}

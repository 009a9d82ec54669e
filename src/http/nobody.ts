import type { AccountDirectory } from '../world/directory.ts'

/** Where there are no keys, users or projects: beside the API of the service. */
export const emptyDirectory: AccountDirectory = {
  key: () => undefined,
  user: () => undefined,
  project: () => undefined,
  organization: () => undefined,
  currentProject: () => undefined,
  hasDashboardItem: () => false,
}

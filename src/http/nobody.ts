import type { Directory } from '../world/directory.ts'

/** Where there are no keys, users or projects: beside the API of the service. */
export const nobody: Directory = {
  key: () => undefined,
  user: () => undefined,
  project: () => undefined,
  organization: () => undefined,
  currentProject: () => undefined,
  hasDashboardItem: () => false,
}

import { listAnnotations } from '../../api/annotations/list.ts'
import { authorizeByKey } from '../../http/authorize.ts'
import type { EndpointContext } from '../../http/endpoint.ts'
import { Failure } from '../../http/failures.ts'
import type { ApiRequest } from '../../http/messages.ts'
import type { Simulator } from '../../simulator.ts'
import type { KeyRow, OrganizationRow, ProjectRow, UserRow } from '../../world/rows.ts'

/** A line to paste, for the first project whose annotations some key can list: it has to work. */
export function curlExample(simulator: Simulator, url: string): string[] {
  const keys = simulator.keys.list()
  const isLetIn = createAccessCheck(simulator, keys)
  for (const { id } of simulator.world.projects.list()) {
    const key = keys.find(({ value }) => isLetIn(value, id))
    if (!key) continue
    const header = `Authorization: Bearer ${key.value}`.replaceAll("'", `'\\''`)
    return ['', 'Try:', `  curl -H '${header}' ${url}/api/projects/${id}/annotations/`]
  }
  return []
}

/** Whether a key gets as far as the annotations of a project: by the door that requests come in by. */
function createAccessCheck(
  { policies, world }: Simulator,
  keys: readonly KeyRow[],
): (key: string, project: number) => boolean {
  const rows = new Map(keys.map((row) => [row.value, row]))
  const sandbox: EndpointContext<never> = {
    settings: policies.settings,
    directory: {
      key: (value) => rows.get(value),
      user: (id) => world.users.get(id) as UserRow | undefined,
      project: (id) => world.projects.get(id) as ProjectRow | undefined,
      organization: (id) => world.organizations.get(id) as OrganizationRow | undefined,
      currentProject: () => undefined,
      hasDashboardItem: () => false,
    },
    world: undefined as never,
    throttle: () => 0,
    report: () => {},
  }
  return (key, project) => {
    try {
      authorizeByKey(
        listAnnotations,
        { project_id: `${project}` },
        requestWithKey(key),
        sandbox,
        () => null,
      )
      return true
    } catch (error) {
      if (error instanceof Failure) return false
      throw error
    }
  }
}

function requestWithKey(key: string): ApiRequest {
  const headers = {
    get: (name: string) => (name === 'authorization' ? `Bearer ${key}` : null),
    entries: () => [],
  }
  return { method: 'GET', url: '', target: '', query: '', headers, body: null }
}

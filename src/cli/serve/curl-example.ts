import { listAnnotations } from '../../api/annotations/list.ts'
import { authorizeByKey } from '../../http/authorize.ts'
import { type EndpointContext, emptyDirectory } from '../../http/endpoint.ts'
import { Failure } from '../../http/failures.ts'
import type { ApiRequest } from '../../http/messages.ts'
import type { Simulator } from '../../simulator.ts'
import type { KeyRow, OrganizationRow, ProjectRow, UserRow } from '../../world/rows.ts'

/** Returns a curl command that works: it lists the annotations of a project with a key that may. */
export function curlExample(simulator: Simulator, url: string): string[] {
  const keys = simulator.keys.list()
  const canList = createAccessCheck(simulator, keys)
  for (const { id } of simulator.world.projects.list()) {
    const key = keys.find(({ value }) => canList(value, id))
    if (!key) continue
    const header = `Authorization: Bearer ${key.value}`.replaceAll("'", `'\\''`)
    return ['', 'Try:', `  curl -H '${header}' ${url}/api/projects/${id}/annotations/`]
  }
  return []
}

/** Returns a function that checks whether a key may list the annotations of a project. It counts no request. */
function createAccessCheck(
  { policies, world }: Simulator,
  keys: readonly KeyRow[],
): (key: string, project: number) => boolean {
  const rows = new Map(keys.map((row) => [row.value, row]))
  const context: EndpointContext<never> = {
    settings: policies.settings,
    directory: {
      ...emptyDirectory,
      key: (value) => rows.get(value),
      user: (id) => world.users.get(id) as UserRow | undefined,
      project: (id) => world.projects.get(id) as ProjectRow | undefined,
      organization: (id) => world.organizations.get(id) as OrganizationRow | undefined,
    },
    world: undefined as never,
    throttle: () => 0,
    report() {},
  }
  return (key, project) => {
    const params = { project_id: String(project) }
    try {
      authorizeByKey(listAnnotations, params, requestWithKey(key), context, () => null)
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

import { listAnnotations } from '../api/annotations/list.ts'
import { authorizeByKey } from '../http/authorize.ts'
import { Failure } from '../http/failures.ts'
import type { SimulatorBase } from '../sandbox/simulator-base.ts'
import { quoteForShell } from '../utils/escape.ts'
import type { KeyRow, ProjectRow } from '../world/rows.ts'

/**
 * Returns a curl command that works: it lists the annotations of a project with a key that may. Null if no key may.
 *
 * @param url the base URL of the simulator, without a trailing slash
 * @param certificate the file of the server's certificate, which curl would not trust otherwise
 */
export function curlExample(
  simulator: SimulatorBase,
  url: string,
  certificate?: string,
): string | null {
  const keys = simulator.keys.list()
  for (const project of simulator.world.projects.list()) {
    const key = keys.find((row) => canListAnnotations(row, project, simulator))
    if (!key) continue
    const header = quoteForShell(`Authorization: Bearer ${key.value}`)
    const trust = certificate === undefined ? '' : `--cacert ${quoteForShell(certificate)} `
    return `curl ${trust}-H ${header} ${quoteForShell(`${url}/api/projects/${project.id}/annotations/`)}`
  }
  return null
}

/** Whether a key may list the annotations of a project. Unlike a request, this counts for no rate limit. */
function canListAnnotations(key: KeyRow, { id }: ProjectRow, simulator: SimulatorBase): boolean {
  const { directory, world, report } = simulator.sandbox
  const settings = simulator.settings.values
  const context = { settings, directory, world, report, throttle: () => 0 }
  const headers = { get: () => `Bearer ${key.value}`, entries: () => [] }
  const request = { method: 'GET', query: '', headers, body: null }
  const params = { project_id: String(id) }
  try {
    const getBody = () => ({ value: undefined, isForm: false })
    const { caller } = authorizeByKey(listAnnotations, params, request, context, getBody)
    return caller.key.value === key.value
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

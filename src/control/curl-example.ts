import { quoteForShell } from '../utils/escape.ts'
import { hasAllScopes, type KeyRow, type ProjectRow } from '../world/rows.ts'

/**
 * Returns a curl command that lists annotations, with a key that may. Null without such a key, and without a project.
 *
 * @param url the base URL of the simulator, without a trailing slash
 * @param certificate the file of the server's certificate, which curl would not trust otherwise
 */
export function curlExample(
  url: string,
  keys: readonly KeyRow[],
  projects: readonly Pick<ProjectRow, 'id'>[],
  certificate?: string,
): string | null {
  const key = keys.find((each) => hasAllScopes(each) || each.scopes?.includes('annotation:read'))
  const project = key?.projects[0] ?? projects[0]?.id
  if (!key || project === undefined) return null
  const header = quoteForShell(`Authorization: Bearer ${key.value}`)
  const trust = certificate === undefined ? '' : `--cacert ${quoteForShell(certificate)} `
  return `curl ${trust}-H ${header} ${quoteForShell(`${url}/api/projects/${project}/annotations/`)}`
}

import { quoteForShell } from '../utils/text.ts'
import { hasAllScopes, type KeyRow, type ProjectRow } from '../world/rows.ts'

/**
 * Returns a curl command that lists annotations, with a key that may. Null without such a key, and without a project.
 *
 * @param url the base URL of the simulator, without a trailing slash
 */
export function curlExample(
  url: string,
  keys: readonly KeyRow[],
  projects: readonly Pick<ProjectRow, 'id'>[],
): string | null {
  const key = keys.find((row) => hasAllScopes(row) || row.scopes?.includes('annotation:read'))
  const project = key?.projects[0] ?? projects[0]?.id
  if (!key || project === undefined) return null
  const headers = [`Authorization: Bearer ${key.value}`]
  return formatCurl('GET', `${url}/api/projects/${project}/annotations/`, headers, null)
}

export function formatCurl(
  method: string,
  url: string,
  headers: readonly string[],
  body: string | null,
): string {
  const words = [
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method]),
    ...headers.flatMap((header) => ['-H', header]),
    ...(body === null ? [] : ['--data-raw', body]),
    url,
  ]
  return ['curl', ...words.map(quoteForShell)].join(' ')
}

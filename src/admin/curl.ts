import { quoteForShell } from '../utils/text.ts'
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
  const key = keys.find((row) => hasAllScopes(row) || row.scopes?.includes('annotation:read'))
  const project = key?.projects[0] ?? projects[0]?.id
  if (!key || project === undefined) return null
  const trust = certificate === undefined ? [] : ['--cacert', certificate]
  const headers = [`Authorization: Bearer ${key.value}`]
  return formatCurl('GET', `${url}/api/projects/${project}/annotations/`, headers, null, trust)
}

/** Returns the curl command of a request. @param options more of its options, with their values */
export function formatCurl(
  method: string,
  url: string,
  headers: readonly string[],
  body: string | null,
  options: readonly string[] = [],
): string {
  const words = [
    ...options,
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method]),
    ...headers.flatMap((header) => ['-H', header]),
    ...(body === null ? [] : ['--data-raw', body]),
    url,
  ]
  return ['curl', ...words.map(quoteForShell)].join(' ')
}

import { quoteForShell } from '../utils/text.ts'
import { hasAllScopes, type KeyRow, type ProjectRow, type UserRow } from '../world/rows.ts'

/**
 * Returns a curl command that lists annotations, with a key that may. Null if none is found.
 *
 * @param url the base URL of the simulator, without a trailing slash
 */
export function curlExample(
  url: string,
  keys: readonly KeyRow[],
  projects: readonly ProjectRow[],
  users: readonly UserRow[],
): string | null {
  for (const key of keys) {
    if (!hasAllScopes(key) && !key.scopes?.includes('annotation:read')) continue
    const own = users.find(({ id }) => id === key.user)?.organizations ?? []
    const project = projects.find(
      ({ id, organization: owner }) =>
        own.includes(owner) &&
        (key.projects.length === 0 || key.projects.includes(id)) &&
        (key.organizations.length === 0 || key.organizations.includes(owner)),
    )
    const headers = [`Authorization: Bearer ${key.value}`]
    if (project)
      return formatCurl('GET', `${url}/api/projects/${project.id}/annotations/`, headers, null)
  }
  return null
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

import { operations } from '../../support/api/document.ts'

/** A path of the document, which several methods can share. */
export interface Route {
  /** As the document has it, such as `/api/projects/:project_id/annotations` */
  readonly path: string
  readonly parent: 'project' | 'organization' | null
  readonly parentId: string
  readonly id: string
  /** The suffix of the path, such as `json`. */
  readonly format: string | null
}

const updates = operations.filter(({ method, path }) => method === 'PATCH' && path.endsWith('/:id'))

/** The operations of the document. PUT is for `live` only, with the scopes of PATCH. */
const allOperations = [
  ...operations,
  ...updates.map((operation) => {
    return { ...operation, method: 'PUT', id: operation.id.replace('update', 'replace') }
  }),
]

/** The paths of the document. The first that matches counts: a word before an id. */
const paths = [...new Set(operations.map(({ path }) => path))]
  .sort((a, b) => Number(a.includes('/:id')) - Number(b.includes('/:id')))
  .map((path) => {
    const parts = path.replace(/:id\b/, '([^/.]+)').replace(/:\w+_id/, '([^/]+)')
    return { path, pattern: new RegExp(`^${parts}/?$`) }
  })

/** Finds the path of a request, or null for a path that the document does not have. */
export function findRoute(sent: string): Route | null {
  const whole = decodeURIComponent(sent)
  const suffixed = /^(.+?)\/?\.([a-z0-9]+)\/?$/.exec(whole)
  const [, bare = whole, format = null] = suffixed ?? []
  for (const { path, pattern } of paths) {
    const [match, parentId = '', id = ''] = pattern.exec(bare) ?? []
    const [, parent = null] = /:(project|organization)_id/.exec(path) ?? []
    if (match !== undefined)
      return { path, parent: parent as Route['parent'], parentId, id, format }
  }
  return null
}

/** HEAD counts as GET. */
function find({ path }: Route, sent: string, live: boolean) {
  const method = sent === 'HEAD' ? 'GET' : sent
  if (method === 'PUT' && !live) return undefined
  return allOperations.find((operation) => operation.path === path && operation.method === method)
}

/** The id of the operation. */
export const operationOf = (route: Route, method: string, live: boolean): string | undefined =>
  find(route, method, live)?.id

/** The scope that a request needs, null for none, or `refused` if it accepts no key with scopes. */
export function scopeOf(route: Route, method: string, live: boolean): string | null {
  if (method === 'OPTIONS') return null
  const [, resource] = /\/(annotation|plugin)s$/.exec(route.path) ?? []
  if (live && method === 'PATCH' && resource) return `${resource}:write`
  const operation = find(route, method, live)
  if (!operation) return live ? 'refused' : null
  const scope = live ? operation.live : operation.documented
  return scope === 'none' ? 'refused' : scope === 'any' ? null : scope
}

/** The header Allow: the methods of the path. The documentation says that DELETE of an annotation never succeeds. */
export function allowOf(route: Route, live: boolean): string {
  const names = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => {
    const operation = operationOf(route, method, live)
    return operation !== undefined && (live || operation !== 'deleteAnnotation')
  })
  return [...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

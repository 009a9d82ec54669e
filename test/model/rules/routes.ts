/** A path of the document, which several methods can share. */
export interface Route {
  readonly name: RouteName
  readonly parent: 'project' | 'organization' | null
  readonly parentId: string
  readonly id: string
  /** The suffix of the path, such as `json`. */
  readonly format: string | null
}

export type RouteName = keyof typeof paths

interface Path {
  readonly pattern: RegExp
  readonly parent: Route['parent']
  /** The methods, with the id of the operation. PUT is for `live` only. */
  readonly methods: Readonly<Record<string, string>>
  /** What the scopes of the path are about. */
  readonly object: string
}

const plugin = (rest: string, methods: Path['methods']): Path => {
  const pattern = new RegExp(`^/api/organizations/([^/]+)/plugins${rest}/?$`)
  return { pattern, parent: 'organization', methods, object: 'plugin' }
}

const annotation = (rest: string, methods: Path['methods']): Path => {
  const pattern = new RegExp(`^/api/projects/([^/]+)/annotations${rest}/?$`)
  return { pattern, parent: 'project', methods, object: 'annotation' }
}

const rowOf = (name: string): Path['methods'] => ({
  GET: `retrieve${name}`,
  PUT: `replace${name}`,
  PATCH: `update${name}`,
  DELETE: `delete${name}`,
})

/** The paths of the document. The first that matches counts. */
export const paths = {
  projects: {
    pattern: /^\/api\/projects\/?$/,
    parent: null,
    methods: { GET: 'listProjects' },
    object: 'project',
  },
  annotations: annotation('', { GET: 'listAnnotations', POST: 'createAnnotation' }),
  annotation: annotation('/([^/.]+)', rowOf('Annotation')),
  plugins: plugin('', { GET: 'listPlugins', POST: 'createPlugin' }),
  activity: plugin('/activity', { GET: 'listPluginActivity' }),
  exports: plugin('/exports_unsubscribe_configs', { GET: 'listExportsUnsubscribeConfigs' }),
  repository: plugin('/repository', { GET: 'listPluginRepository' }),
  unused: plugin('/unused', { GET: 'listUnusedPlugins' }),
  plugin: plugin('/([^/.]+)', rowOf('Plugin')),
  check: plugin('/([^/.]+)/check_for_updates', { GET: 'checkPluginForUpdates' }),
  source: plugin('/([^/.]+)/source', { GET: 'retrievePluginSource' }),
  updateSource: plugin('/([^/.]+)/update_source', { PATCH: 'updatePluginSource' }),
  upgrade: plugin('/([^/.]+)/upgrade', { POST: 'upgradePlugin' }),
} satisfies Record<string, Path>

/** The eight operations that declare no scope. */
const extras = [
  ...['activity', 'exports', 'repository', 'unused'],
  ...['check', 'source', 'updateSource', 'upgrade'],
]

/** Finds the path of a request, or null for a path that the document does not have. */
export function findRoute(sent: string): Route | null {
  const path = decodeURIComponent(sent)
  const suffixed = /^(.+?)\/?\.([a-z0-9]+)\/?$/.exec(path)
  const [, bare = path, format = null] = suffixed ?? []
  for (const [name, { pattern, parent }] of Object.entries(paths)) {
    const [match, parentId = '', id = ''] = pattern.exec(bare) ?? []
    if (match !== undefined) return { name: name as RouteName, parent, parentId, id, format }
  }
  return null
}

const pathOf = ({ name }: Route): Path => paths[name]

/** The id of the operation. HEAD counts as GET. */
export function operationOf(route: Route, method: string, live: boolean): string | undefined {
  if (method === 'PUT' && !live) return undefined
  return pathOf(route).methods[method === 'HEAD' ? 'GET' : method]
}

/** The scope that a request needs, null for none, or `refused` if it accepts no key with scopes. */
export function scopeOf(route: Route, method: string, live: boolean): string | null {
  if (method === 'OPTIONS') return null
  const operation = operationOf(route, method, live)
  if (live && method === 'PATCH' && route.name === 'annotations') return 'annotation:write'
  if (live && (extras.includes(route.name) || operation === undefined)) return 'refused'
  if (operation === undefined || (route.name === 'projects' && !live)) return null
  return `${pathOf(route).object}:${method === 'GET' ? 'read' : 'write'}`
}

/** The header Allow: the methods of the path. The documentation says that DELETE of an annotation never succeeds. */
export function allowOf(route: Route, live: boolean): string {
  const names = Object.keys(pathOf(route).methods).filter((method) => {
    const operation = operationOf(route, method, live)
    return operation !== undefined && (live || operation !== 'deleteAnnotation')
  })
  return [...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

/** An operation of the document, or a part of it that several methods share. */
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
  /** The methods, with the id of the operation and its scope. PUT is for `live` only. */
  readonly methods: Readonly<Record<string, readonly [operation: string, scope: string | null]>>
  /** What the scopes of the path are about. */
  readonly object: string
}

const plugins = '^/api/organizations/([^/]+)/plugins'
const annotations = '^/api/projects/([^/]+)/annotations'

const plugin = (rest: string, methods: Path['methods']): Path => ({
  pattern: new RegExp(`${plugins}${rest}/?$`),
  parent: 'organization',
  methods,
  object: 'plugin',
})

const annotation = (rest: string, methods: Path['methods']): Path => ({
  pattern: new RegExp(`${annotations}${rest}/?$`),
  parent: 'project',
  methods,
  object: 'annotation',
})

/** The paths of the document. The first that matches counts. */
export const paths = {
  projects: {
    pattern: /^\/api\/projects\/?$/,
    parent: null,
    methods: { GET: ['listProjects', null] },
    object: 'project',
  },
  annotations: annotation('', {
    GET: ['listAnnotations', 'annotation:read'],
    POST: ['createAnnotation', 'annotation:write'],
  }),
  annotation: annotation('/([^/.]+)', {
    GET: ['retrieveAnnotation', 'annotation:read'],
    PUT: ['replaceAnnotation', 'annotation:write'],
    PATCH: ['updateAnnotation', 'annotation:write'],
    DELETE: ['deleteAnnotation', 'annotation:write'],
  }),
  plugins: plugin('', {
    GET: ['listPlugins', 'plugin:read'],
    POST: ['createPlugin', 'plugin:write'],
  }),
  activity: plugin('/activity', { GET: ['listPluginActivity', 'plugin:read'] }),
  exports: plugin('/exports_unsubscribe_configs', {
    GET: ['listExportsUnsubscribeConfigs', 'plugin:read'],
  }),
  repository: plugin('/repository', { GET: ['listPluginRepository', 'plugin:read'] }),
  unused: plugin('/unused', { GET: ['listUnusedPlugins', 'plugin:read'] }),
  plugin: plugin('/([^/.]+)', {
    GET: ['retrievePlugin', 'plugin:read'],
    PUT: ['replacePlugin', 'plugin:write'],
    PATCH: ['updatePlugin', 'plugin:write'],
    DELETE: ['deletePlugin', 'plugin:write'],
  }),
  check: plugin('/([^/.]+)/check_for_updates', {
    GET: ['checkPluginForUpdates', 'plugin:read'],
  }),
  source: plugin('/([^/.]+)/source', { GET: ['retrievePluginSource', 'plugin:read'] }),
  updateSource: plugin('/([^/.]+)/update_source', {
    PATCH: ['updatePluginSource', 'plugin:write'],
  }),
  upgrade: plugin('/([^/.]+)/upgrade', { POST: ['upgradePlugin', 'plugin:write'] }),
} satisfies Record<string, Path>

/** The eight operations that declare no scope. */
const extras = [
  'activity',
  'exports',
  'repository',
  'unused',
  'check',
  'source',
  'updateSource',
  'upgrade',
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

/** What a method is on a path, or undefined if the path does not have it. */
function methodOf(route: Route, method: string, live: boolean) {
  return method === 'PUT' && !live ? undefined : pathOf(route).methods[method]
}

/** The id of the operation. HEAD counts as GET. */
export function operationOf(route: Route, method: string, live: boolean): string | undefined {
  return methodOf(route, method === 'HEAD' ? 'GET' : method, live)?.[0]
}

/** The scope that a request needs, null for none, or `refused` if it accepts no key with scopes. */
export function scopeOf(route: Route, method: string, live: boolean): string | null {
  if (method === 'OPTIONS') return null
  const scope = methodOf(route, method, live)?.[1]
  if (!live) return scope ?? null
  if (extras.includes(route.name) || scope === undefined) return 'refused'
  return scope ?? `${pathOf(route).object}:read`
}

/** The header Allow: the methods of the path. The documentation says that DELETE of an annotation never succeeds. */
export function allowOf(route: Route, live: boolean): string {
  const names = Object.keys(pathOf(route).methods).filter((method) => {
    const operation = operationOf(route, method, live)
    return operation !== undefined && (live || operation !== 'deleteAnnotation')
  })
  return [...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

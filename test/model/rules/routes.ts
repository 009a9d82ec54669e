/** An operation of the document, or a part of it that several methods share. */
export interface Route {
  readonly name: RouteName
  readonly parent: 'project' | 'organization' | null
  readonly parentId: string
  readonly id: string
}

export type RouteName = keyof typeof paths

interface Path {
  readonly pattern: RegExp
  readonly parent: Route['parent']
  /** The methods, with the id of the operation and its scope. */
  readonly methods: Readonly<Record<string, readonly [operation: string, scope: string | null]>>
  /** The title that OPTIONS answers, and the scope that it requires. */
  readonly title: string
  readonly read: string | null
}

const plugins = '^/api/organizations/([^/]+)/plugins'
const annotations = '^/api/projects/([^/]+)/annotations'

const plugin = (rest: string, title: string, methods: Path['methods']): Path => ({
  pattern: new RegExp(`${plugins}${rest}/?$`),
  parent: 'organization',
  methods,
  title,
  read: 'plugin:read',
})

const annotation = (rest: string, title: string, methods: Path['methods']): Path => ({
  pattern: new RegExp(`${annotations}${rest}/?$`),
  parent: 'project',
  methods,
  title,
  read: 'annotation:read',
})

/** The paths of the document. The first that matches counts. */
export const paths = {
  projects: {
    pattern: /^\/api\/projects\/?$/,
    parent: null,
    methods: { GET: ['listProjects', null] },
    title: 'Project List',
    read: null,
  },
  annotations: annotation('', 'Annotations List', {
    GET: ['listAnnotations', 'annotation:read'],
    POST: ['createAnnotation', 'annotation:write'],
  }),
  annotation: annotation('/([^/.]+)', 'Annotations Instance', {
    GET: ['retrieveAnnotation', 'annotation:read'],
    PATCH: ['updateAnnotation', 'annotation:write'],
    DELETE: ['deleteAnnotation', 'annotation:write'],
  }),
  plugins: plugin('', 'Plugin List', {
    GET: ['listPlugins', 'plugin:read'],
    POST: ['createPlugin', 'plugin:write'],
  }),
  activity: plugin('/activity', 'All activity', { GET: ['listPluginActivity', 'plugin:read'] }),
  exports: plugin('/exports_unsubscribe_configs', 'Exports unsubscribe configs', {
    GET: ['listExportsUnsubscribeConfigs', 'plugin:read'],
  }),
  repository: plugin('/repository', 'Repository', { GET: ['listPluginRepository', 'plugin:read'] }),
  unused: plugin('/unused', 'Unused', { GET: ['listUnusedPlugins', 'plugin:read'] }),
  plugin: plugin('/([^/.]+)', 'Plugin Instance', {
    GET: ['retrievePlugin', 'plugin:read'],
    PATCH: ['updatePlugin', 'plugin:write'],
    DELETE: ['deletePlugin', 'plugin:write'],
  }),
  check: plugin('/([^/.]+)/check_for_updates', 'Check for updates', {
    GET: ['checkPluginForUpdates', 'plugin:read'],
  }),
  source: plugin('/([^/.]+)/source', 'Source', { GET: ['retrievePluginSource', 'plugin:read'] }),
  updateSource: plugin('/([^/.]+)/update_source', 'Update source', {
    PATCH: ['updatePluginSource', 'plugin:write'],
  }),
  upgrade: plugin('/([^/.]+)/upgrade', 'Upgrade', { POST: ['upgradePlugin', 'plugin:write'] }),
} satisfies Record<string, Path>

/** Finds the path of a request, or null for a path that the document does not have. */
export function findRoute(path: string): Route | null {
  for (const [name, { pattern, parent }] of Object.entries(paths)) {
    const [match, parentId = '', id = ''] = pattern.exec(path) ?? []
    if (match !== undefined) return { name: name as RouteName, parent, parentId, id }
  }
  return null
}

export const pathOf = ({ name }: Route): Path => paths[name]

/** The operation that a request counts as for faults and second actors. HEAD counts as GET. */
export function operationOf(route: Route, method: string): string | undefined {
  return pathOf(route).methods[method === 'HEAD' ? 'GET' : method]?.[0]
}

/** The header Allow of a 405 and of OPTIONS: the methods that can succeed. */
export function allowOf(route: Route): string {
  const names = Object.entries(pathOf(route).methods)
    .filter(([, [operation]]) => operation !== 'deleteAnnotation')
    .map(([method]) => method)
  return [...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

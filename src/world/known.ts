// Words and lengths of fields, which the world format and the bodies of requests have in common.

/** How annotations come to be. */
export const creationTypes = ['USR', 'GIT'] as const

/** Every scope that an annotation was ever seen with (observed §4). */
export const annotationScopes = [
  'dashboard_item',
  'dashboard',
  'project',
  'organization',
  'recording',
  'tag',
] as const

/** The objects of the scopes that the document's operations ask for. */
export const scopeObjects = ['annotation', 'plugin', 'project'] as const

/** The types of plugins that requests may give; there is one more, `inline`. */
export const pluginTypes = ['local', 'custom', 'repository', 'source', ''] as const

/** The most characters that a field may have. */
export const maxLengths = {
  annotation: { content: 400 },
  plugin: { name: 200, url: 800, icon: 800, tag: 200, latest_tag: 800 },
} as const

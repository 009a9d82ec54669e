/** The ids of the operations, as in the OpenAPI document. */
export const operationIds = [
  'listPlugins',
  'createPlugin',
  'retrievePlugin',
  'replacePlugin',
  'updatePlugin',
  'deletePlugin',
  'checkPluginForUpdates',
  'retrievePluginSource',
  'updatePluginSource',
  'upgradePlugin',
  'listPluginActivity',
  'listExportsUnsubscribeConfigs',
  'listPluginRepository',
  'listUnusedPlugins',
  'listAnnotations',
  'createAnnotation',
  'retrieveAnnotation',
  'replaceAnnotation',
  'updateAnnotation',
  'deleteAnnotation',
  'listProjects',
] as const

/** The id of an operation, such as `listAnnotations`. */
export type OperationId = (typeof operationIds)[number]

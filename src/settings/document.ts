/** The statements of the API's documentation that settings cite, and what it does not mention, by a stable id. */
export const documentLines = {
  'absent.access_level': 'The documentation has no access level.',
  'absent.headers': 'The documentation shows no header of a response.',
  'absent.null': 'For most fields the documentation does not say whether they may be null.',
  'absent.put': 'The documentation lists no PUT.',
  'service.plugins': 'Plugins, scoped to an organization.',

  'plugin.plugin_type':
    'plugin_type: enumerated string; in request bodies; sample response value: local. Allowed values: not shown.',
  'plugin.name': 'name: string; in request bodies',
  'plugin.url': 'url: string; not in request bodies; appears in responses only',
  'plugin.config_schema':
    'config_schema: structured value, may be null; in request bodies; structure: not shown',
  'plugin.tag': 'tag: string; in request bodies',
  'plugin.capabilities':
    'capabilities: structured value, may be null; in request bodies; structure: not shown',
  'plugin.metrics':
    'metrics: structured value, may be null; in request bodies; structure: not shown',
  'plugin.public_jobs':
    'public_jobs: structured value, may be null; in request bodies; structure: not shown',
  'plugin.required': 'Which request fields are required: not shown.',

  'annotation.creation_type':
    'creation_type: enumerated string; in request bodies; sample response value: USR. Full set of values: not shown.',
  'annotation.scope':
    'scope: enumerated string; in request bodies; sample response value: dashboard_item. Full set of values: not shown.',

  'created_by.hedgehog_config':
    'hedgehog_config: object with arbitrary string keys and values of unspecified type',

  'states.annotation.hard_delete':
    'any; DELETE on the annotation; always; no change; hard deletion is not allowed; the caller is told to use PATCH with deleted set to true',
  'states.annotation.restore': 'Reverting deleted to false: not shown.',
  'states.annotation.visibility':
    'Whether soft-deleted annotations are returned by list and retrieve: not shown.',

  'bodies.json': 'Bodies are sent as JSON with header Content-Type: application/json.',
  'paths.organization_id':
    'Path parameter organization_id is a string in every plugin path. Path parameter id is an integer identifying the plugin.',
  'operation.listPlugins':
    'List all plugins: GET; plugin:read; query: limit (integer, results per page), offset (integer, initial index); 200, pagination envelope of Plugin',
  'operation.createPlugin':
    'Create plugin: POST; plugin:write; body: plugin_type, name, description, icon, config_schema, tag, is_global, capabilities, metrics, public_jobs; 201, Plugin',
  'operation.retrievePlugin': 'Retrieve plugin: GET; plugin:read; 200, Plugin',
  'operation.updatePlugin':
    'Update plugin: PATCH; plugin:write; same body fields as create; 200, Plugin',
  'operation.deletePlugin': 'Delete plugin: DELETE; plugin:write; 204, no body',
  'operation.checkPluginForUpdates': 'Check for updates: GET; 200, Plugin shape',
  'operation.retrievePluginSource': 'Retrieve source: GET; 200, Plugin shape',
  'operation.updatePluginSource':
    'Update source: PATCH; same body fields as create; 200, Plugin shape',
  'operation.upgradePlugin': 'Upgrade: POST; same body fields as create; 200, Plugin shape',
  'operation.listPluginActivity': 'Activity: GET; 200, Plugin shape',
  'operation.listExportsUnsubscribeConfigs': 'Exports unsubscribe configs: GET; 200, Plugin shape',
  'operation.listPluginRepository': 'Repository: GET; 200, Plugin shape',
  'operation.listUnusedPlugins': 'Unused: GET; 200, Plugin shape',
  'other.scopes':
    'Required scopes for the eight operations from check_for_updates through unused: not shown.',
  'other.bodies':
    'Response bodies of activity, exports_unsubscribe_configs, repository and unused, and the effect of upgrade and update_source on stored data, beyond the Plugin shape: not shown.',
  'paths.project_id':
    'Path parameter project_id is a string identifying the project. Path parameter id is an integer identifying the annotation.',
  'operation.listAnnotations':
    'List all annotations: GET; annotation:read; query: limit (integer), offset (integer), search (string, search term); 200, pagination envelope of Annotation',
  'operation.createAnnotation':
    'Create annotation: POST; annotation:write; body: content (string), date_marker (string), creation_type, dashboard_item (integer), deleted (boolean), scope; 201, Annotation',
  'operation.retrieveAnnotation': 'Retrieve annotation: GET; annotation:read; 200, Annotation',
  'operation.deleteAnnotation':
    'Delete annotation: DELETE; annotation:write; hard delete not allowed; use PATCH with deleted true',
  'annotations.delete_status':
    'Status code returned by the annotation DELETE operation: not shown.',

  'keys.header':
    'Each request carries the header Authorization with the value Bearer followed by a personal API key.',
  'keys.scopes':
    'Each operation requires an API key scope named in the form <object>:<read|write>. The scopes shown are plugin:read, plugin:write, annotation:read and annotation:write.',
  'keys.read_and_write':
    'Read operations (list, retrieve) require the read scope; create, update and delete require the write scope.',
  'keys.projects':
    'The project identifier for annotation paths is obtained from the project listing under /api/projects/.',
  'keys.missing':
    'How keys are issued, their lifetime and what happens on a missing or insufficient key: not shown.',
  'errors.all': 'Error status codes, error codes and error body shape: not shown.',
  'limits.parameters':
    'List operations accept limit (results per page) and offset (initial index).',
  'limits.values': 'Default and maximum values of limit: not shown.',
  'limits.rates': 'Rate limits and size limits: not shown.',
  'versioning.scheme':
    'Versioning scheme: not shown. All paths begin with /api and carry no version segment.',
} as const

/** The id of a statement of the documentation, such as `annotation.scope`. */
export type DocumentLine = keyof typeof documentLines

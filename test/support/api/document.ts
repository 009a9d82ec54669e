/**
 * The eighteen operations as the API's document shows them, and the listing of projects to which it sends the reader,
 * typed by hand: what a test must not ask the code. Where the document says "not shown", the scopes are those that were
 * seen: `any` is any valid key, and `none` is no key that has scopes.
 */
const table = `
operation                      method  path                             documented        live              status  body        response    query
listPlugins                    GET     ORG/plugins                      plugin:read       plugin:read       200     -           page        limit,offset
createPlugin                   POST    ORG/plugins                      plugin:write      plugin:write      201     plugin      plugin      -
retrievePlugin                 GET     ORG/plugins/:id                  plugin:read       plugin:read       200     -           plugin      -
updatePlugin                   PATCH   ORG/plugins/:id                  plugin:write      plugin:write      200     plugin      plugin      -
deletePlugin                   DELETE  ORG/plugins/:id                  plugin:write      plugin:write      204     -           -           -
checkPluginForUpdates          GET     ORG/plugins/:id/check_for_updates plugin:read      none              200     -           plugin      -
retrievePluginSource           GET     ORG/plugins/:id/source           plugin:read       none              200     -           plugin      -
updatePluginSource             PATCH   ORG/plugins/:id/update_source    plugin:write      none              200     plugin      plugin      -
upgradePlugin                  POST    ORG/plugins/:id/upgrade          plugin:write      none              200     plugin      plugin      -
listPluginActivity             GET     ORG/plugins/activity             plugin:read       none              200     -           plugin      -
listExportsUnsubscribeConfigs  GET     ORG/plugins/exports_unsubscribe_configs plugin:read none             200     -           plugin      -
listPluginRepository           GET     ORG/plugins/repository           plugin:read       none              200     -           plugin      -
listUnusedPlugins              GET     ORG/plugins/unused               plugin:read       none              200     -           plugin      -
listAnnotations                GET     PROJECT/annotations              annotation:read   annotation:read   200     -           page        limit,offset,search
createAnnotation               POST    PROJECT/annotations              annotation:write  annotation:write  201     annotation  annotation  -
retrieveAnnotation             GET     PROJECT/annotations/:id          annotation:read   annotation:read   200     -           annotation  -
updateAnnotation               PATCH   PROJECT/annotations/:id          annotation:write  annotation:write  200     annotation  annotation  -
deleteAnnotation               DELETE  PROJECT/annotations/:id          annotation:write  annotation:write  405     -           -           -
listProjects                   GET     /api/projects                    any               project:read      200     -           page        limit,offset
`

export interface DocumentedOperation {
  readonly id: string
  readonly method: string
  /** Without a slash at its end */
  readonly path: string
  readonly documented: string
  readonly live: string
  readonly status: number
  readonly body: Resource | null
  readonly response: Resource | 'page' | null
  /** The names of its parameters in a query */
  readonly query: readonly string[]
}

export type Resource = 'plugin' | 'annotation'

export const operations: readonly DocumentedOperation[] = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [id = '', method = '', path = '', documented = '', live = '', status, ...shapes] =
      line.split(/\s+/)
    const [body = null, response = null, query = null] = shapes.map((name) =>
      name === '-' ? null : name,
    )
    return {
      id,
      method,
      path: path
        .replace('ORG', '/api/organizations/:organization_id')
        .replace('PROJECT', '/api/projects/:project_id'),
      documented,
      live,
      status: Number(status),
      body: body as Resource | null,
      response: response as DocumentedOperation['response'],
      query: query?.split(',') ?? [],
    }
  })

/** JSON as a value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json }

/** A field that no body can set, with its value in a row of which nothing else is said. */
const shown = <Value>(usual: Value) => ({ usual, body: undefined })
/** A field that bodies can have, with another value to send. */
const sent = <Value>(usual: Value, body: Value) => ({ usual, body })

/** The fields of each resource, in their order: a new one needs its line here, and one that bodies can set also one in `test/model/rules/fields.ts`. */
const fields = {
  plugin: {
    id: shown(1),
    plugin_type: sent<string | null>(null, 'source'),
    name: sent<string | null>(null, 'Hello'),
    description: sent<string | null>(null, 'Greets'),
    url: shown<string | null>(null),
    icon: sent<string | null>(null, 'https://example.com/a.png'),
    config_schema: sent<Json>({}, { host: { type: 'string' } }),
    tag: sent<string | null>(null, '1.0'),
    latest_tag: shown<string | null>(null),
    is_global: sent<boolean>(false, true),
    organization_id: shown('018f2b6e-0000-7000-8000-00000000000a'),
    organization_name: shown<string | null>('Acme'),
    capabilities: sent<Json>({}, { jobs: [] }),
    metrics: sent<Json>({}, { sent: 'sum' }),
    public_jobs: sent<Json>({}, { clean: { payload: {} } }),
  },
  annotation: {
    id: shown(1),
    content: sent<string | null>(null, 'Launch'),
    date_marker: sent<string | null>(null, '2024-06-03T09:00:00Z'),
    creation_type: sent('USR', 'GIT'),
    dashboard_item: sent<number | null>(null, 10),
    insight_short_id: shown<string | null>(null),
    insight_name: shown<string | null>(null),
    created_by: shown<object | null>(null),
    created_at: shown('2024-06-15T12:00:00Z'),
    updated_at: shown('2024-06-15T12:00:00Z'),
    deleted: sent<boolean>(false, true),
    scope: sent('dashboard_item', 'project'),
  },
}

type UsualRow<Table> = {
  -readonly [Name in keyof Table]: Table[Name] extends { readonly usual: infer Value }
    ? Value
    : never
}

/** The plugin and the annotation of which nothing is said. */
export const usual = { plugin: usualOf(fields.plugin), annotation: usualOf(fields.annotation) }

function usualOf<Table extends object>(table: Table): UsualRow<Table> {
  const values = Object.entries(table).map(([name, { usual }]) => [name, usual])
  return Object.fromEntries(values) as UsualRow<Table>
}

/** The names of the fields of a response, in their order. */
export const shownFields = {
  plugin: Object.keys(fields.plugin),
  annotation: Object.keys(fields.annotation),
  page: ['count', 'next', 'previous', 'results'],
  created_by: [
    ...['id', 'uuid', 'distinct_id', 'first_name', 'last_name', 'email'],
    ...['is_email_verified', 'hedgehog_config'],
  ],
}

/** A request body with each field that it can have. */
export function writableFields(resource: Resource): Record<string, unknown> {
  const entries = Object.entries(fields[resource])
  return Object.fromEntries(
    entries.flatMap(([name, { body }]) => (body === undefined ? [] : [[name, body]])),
  )
}

/** The path of an operation with ids of the world `default`. */
export function pathOf({ path }: Pick<DocumentedOperation, 'path'>): string {
  return path
    .replace(':organization_id', '018f2b6e-0000-7000-8000-00000000000a')
    .replace(':project_id', '1')
    .replace(':id', path.includes('/plugins/') ? '21' : '1')
}

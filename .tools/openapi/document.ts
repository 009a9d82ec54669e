import { annotationChanges, annotationShape } from '../../src/api/annotations/annotation.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import { activityEntryShape } from '../../src/api/plugins/list-activity.ts'
import { pluginConfigurationShape } from '../../src/api/plugins/list-exports-unsubscribe-configs.ts'
import { catalogueEntryShape } from '../../src/api/plugins/list-repository.ts'
import { newPlugin, pluginChanges, pluginShape } from '../../src/api/plugins/plugin.ts'
import { projectShape } from '../../src/api/projects/list.ts'
import { type Endpoint, isEndpointEnabled } from '../../src/http/endpoint.ts'
import { pageShape } from '../../src/http/fields/body-fields.ts'
import { profiles } from '../../src/settings/profiles.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import {
  describeValue,
  type SettingId,
  SettingReads,
  type SettingValues,
  settingIds,
  settingsById,
  track,
} from '../../src/settings/setting.ts'
import { mapValues } from '../../src/utils/json.ts'
import { version } from '../../src/utils/version.ts'
import { type ObservedOperation, observeOperations } from './examples.ts'
import { toBodySchema, toJsonSchema } from './json-schema.ts'
import { describeOperation, errorSchema, type Operation, securitySchemes } from './operation.ts'

export interface OpenApiDocument {
  readonly [field: string]: unknown
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

/**
 * Creates the OpenAPI 3.1 document of the API, with examples and the settings that affect each operation. The same
 * values give the same bytes.
 */
export async function createApiDocument(settings: SettingValues): Promise<OpenApiDocument> {
  const enabled = endpoints.filter((endpoint) => isEndpointEnabled(endpoint, settings))
  const observed = await observeOperations(enabled, settings)
  const operations = enabled.map((endpoint) => ({
    endpoint,
    ...withSettings(endpoint, settings, observed.get(endpoint.operation)),
  }))
  const isCommon = (id: SettingId) => operations.every(({ ids }) => ids.includes(id))
  const paths: Record<string, Record<string, object>> = {}
  for (const { endpoint, operation, ids } of operations) {
    const { operationId, summary, ...rest } = operation
    const own = ids.filter((id) => !isCommon(id)).map((id) => formatSetting(id, settings))
    const description = own.length > 0 ? { description: `Settings: ${own.join(', ')}.` } : {}
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = {
      operationId,
      summary,
      ...description,
      'x-settings': ids,
      ...rest,
    }
  }
  const used = [...new Set(operations.flatMap(({ ids }) => ids))].sort()
  const document = withSchemaReferences({
    openapi: '3.1.0',
    info: {
      title: 'Plugin and Annotation Management API',
      version,
      description: `${introduction}\n\n${describeProfile(settings)}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers,
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas(settings),
      responses: Object.assign({}, ...operations.map(({ responses }) => responses)),
      securitySchemes: securitySchemes(settings),
    },
  })
  const explained = used.map((id) => [id, describeSetting(id, settings)])
  return { ...document, 'x-settings': Object.fromEntries(explained) }
}

const introduction = `Paths are served with and without a trailing slash. GET operations also serve HEAD, and OPTIONS \
names the methods of a path. If a query parameter is repeated, the last value counts. Bodies and parameters have plain types. \
The live service reads more leniently: \`x-accepts\` lists the schemas of what it accepts as well.

Examples are responses of the simulator in its world \`default\`. \`x-settings\` lists settings that affect an \
operation; \`x-settings\` of the whole document explains each.`

const servers = [
  { url: '/', description: "The server's own world." },
  {
    url: '/__sandbox/{sandbox}',
    description: 'The world of a sandbox, by its id.',
    variables: { sandbox: { default: 'sandbox-1' } },
  },
]

const tags = {
  plugins: 'Plugins of an organization.',
  annotations: 'Annotations of a project. They are soft-deleted, and never removed.',
  projects: 'Projects, to look up the id of one.',
}

const responseShapes = {
  Plugin: pluginShape,
  PluginPage: pageShape(pluginShape),
  PluginConfiguration: pluginConfigurationShape,
  PluginActivity: activityEntryShape,
  CatalogueEntry: catalogueEntryShape,
  Annotation: annotationShape,
  AnnotationPage: pageShape(annotationShape),
  Project: projectShape,
  ProjectPage: pageShape(projectShape),
}

const bodies = {
  NewPlugin: newPlugin,
  PluginChanges: pluginChanges,
  AnnotationChanges: annotationChanges,
}

/** The named schemas. Each is written once and referred to everywhere else. */
function schemas(settings: SettingValues): Record<string, object> {
  return Object.fromEntries([
    ...Object.entries(responseShapes).map(([name, shape]) => [
      name,
      toJsonSchema(shape, 'output', settings),
    ]),
    ...Object.entries(bodies).map(([name, body]) => [name, toBodySchema(body, settings)]),
    ['Error', errorSchema],
  ])
}

/** An operation, and the ids of the settings that its response or its description depends on. */
function withSettings(
  endpoint: Endpoint,
  settings: SettingValues,
  observed: ObservedOperation | undefined,
): Operation & { readonly ids: readonly SettingId[] } {
  const reads = new SettingReads().addAll((observed?.settings ?? []) as readonly SettingId[])
  const tracked = track({ world: { settings }, reads })
  isEndpointEnabled(endpoint, tracked)
  const described = describeOperation(endpoint, tracked, observed?.example)
  return { ...described, ids: reads.ids }
}

function describeProfile(settings: SettingValues): string {
  const [nearest] = profiles
    .map((profile) => {
      const defaults = resolveSettings(profile)
      return { profile, differing: settingIds.filter((id) => settings[id] !== defaults[id]) }
    })
    .sort((a, b) => a.differing.length - b.differing.length)
  const { profile = '', differing = [] } = nearest ?? {}
  const changes = differing.map((id) => formatSetting(id, settings)).join(', ')
  return `Profile: \`${profile}\`${changes && `, with ${changes}`}.`
}

function formatSetting(id: SettingId, settings: SettingValues): string {
  return `\`${id}\` = \`${settings[id]}\``
}

function describeSetting(id: SettingId, settings: SettingValues): object {
  const value = settings[id]
  const { meaning, evidence, source } = describeValue(id, value)
  return { value, question: settingsById[id].question, answer: meaning, evidence, source }
}

/** Replaces each copy of a named schema by a reference, and removes named schemas that are never referred to. */
function withSchemaReferences(document: OpenApiDocument): OpenApiDocument {
  const { schemas = {}, responses = {} } = document.components
  const names = new Map(
    Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]),
  )
  const replaceNode = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node
    const name = names.get(JSON.stringify(node))
    return name === undefined ? mapValues(node, replaceNode) : { $ref: `${schemaPrefix}${name}` }
  }
  const paths = mapValues(document.paths, replaceNode)
  const shared = mapValues(responses, replaceNode)
  const defined = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, mapValues(schema, replaceNode)]),
  )
  const used = referencedNames([paths, shared], defined)
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      schemas: Object.fromEntries(Object.entries(defined).filter(([name]) => used.has(name))),
      responses: shared,
    },
  }
}

const schemaPrefix = '#/components/schemas/'

/** The names of the schemas that a part of a document refers to, also by way of others. */
export function referencedNames(
  node: unknown,
  schemas: Readonly<Record<string, unknown>>,
  names: Set<string> = new Set(),
): Set<string> {
  for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (names.has(name)) continue
    referencedNames(schemas[name], schemas, names.add(name))
  }
  return names
}

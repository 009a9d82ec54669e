import { enoughFor } from '../../src/analysis/keys.ts'
import { annotationChanges, annotationShape } from '../../src/api/annotations/annotation.ts'
import { commonFailures } from '../../src/api/declared-failures.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import { activityEntryShape } from '../../src/api/plugins/activity-log.ts'
import { pluginConfigurationShape } from '../../src/api/plugins/configurations.ts'
import { catalogueEntryShape } from '../../src/api/plugins/install.ts'
import { newPlugin, pluginChanges, pluginShape } from '../../src/api/plugins/plugin.ts'
import { projectShape } from '../../src/api/projects/list.ts'
import { acceptedMediaTypes } from '../../src/http/body.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { Failure } from '../../src/http/failures.ts'
import { pageShape } from '../../src/http/parameters.ts'
import { isEndpointEnabled } from '../../src/http/route.ts'
import { throttledFailure } from '../../src/http/throttle.ts'
import { resolveBySetting, TrackedValues } from '../../src/settings/by-setting.ts'
import { profiles, resolveSettings } from '../../src/settings/resolve.ts'
import {
  type PossibleValue,
  type SettingId,
  type SettingValues,
  settingIds,
  settingsById,
} from '../../src/settings/setting.ts'
import { createSimulator, type Simulator } from '../../src/simulator.ts'
import { version } from '../../src/utils/version.ts'
import {
  type OpenApiDocument,
  type OpenApiOptions,
  type OperationExample,
  toOpenApiDocument,
  toResponseExample,
} from './document.ts'
import { type DescribedBody, enabledFields } from './json-schema.ts'

/**
 * Creates the OpenAPI 3.1 document of the API, with examples and the settings that affect each operation. The same
 * values give the same bytes.
 */
export async function createApiDocument(settings: SettingValues): Promise<OpenApiDocument> {
  const enabled = endpoints.filter((endpoint) => isEndpointEnabled(endpoint, settings))
  const observed = await observeOperations(enabled, settings)
  const settingsOf = new Map(
    enabled.map((endpoint) => {
      const { settings: read = [] } = observed.get(endpoint.id) ?? {}
      const ids = new Set([...read, ...describedSettings(endpoint, settings)])
      return [endpoint.id, settingIds.filter((id) => ids.has(id))] as const
    }),
  )
  const lists = [...settingsOf.values()]
  const isCommon = (id: SettingId): boolean => lists.every((ids) => ids.includes(id))
  const document = toOpenApiDocument(enabled, settings, {
    ...apiOptions(settings),
    info: apiInfo(settings),
    exampleOf: ({ id }) => observed.get(id)?.example,
    detailsOf({ id }) {
      const ids = settingsOf.get(id) ?? []
      const own = ids.filter((each) => !isCommon(each))
      const list = own.map((each) => formatSetting(each, settings)).join(', ')
      return { ...(list && { description: `Settings: ${list}.` }), 'x-settings': ids }
    },
  })
  const used = [...new Set(lists.flat())].sort()
  return {
    ...document,
    'x-settings': Object.fromEntries(used.map((id) => [id, describeSetting(id, settings)])),
  }
}

/** Describes some endpoints of the API, by default all of them, without examples and settings. */
export function describeApi(
  settings: SettingValues,
  some: readonly Endpoint[] = endpoints,
): OpenApiDocument {
  return toOpenApiDocument(some, settings, { ...apiOptions(settings), info: apiInfo(settings) })
}

function apiInfo(settings: SettingValues): OpenApiOptions['info'] {
  return {
    title: 'Plugin and Annotation Management API',
    version,
    description: `${introduction}\n\n${describeProfile(settings)}`,
    license: { name: 'MIT', identifier: 'MIT' },
  }
}

const introduction = `Paths are served with and without a trailing slash. GET operations also serve HEAD, and OPTIONS \
describes a path. If a query parameter is repeated, the last value counts. Request bodies are read as leniently as the \
live service reads them, so schemas can allow more than the plain type.

Examples are responses of the simulator in its world \`default\`. \`x-settings\` lists the settings that affect an \
operation; \`x-settings\` of the whole document explains each.`

const documentServers: OpenApiOptions['servers'] = [
  { url: '/', description: "The server's own world." },
  {
    url: '/__sandbox/{sandbox}',
    description: 'The world of a sandbox.',
    variables: { sandbox: { default: 'sandbox-1', description: 'The id of a sandbox.' } },
  },
]

function apiOptions(settings: SettingValues): Omit<OpenApiOptions, 'info'> {
  return {
    servers: documentServers,
    tags: {
      plugins: 'Plugins of an organization.',
      annotations: 'Annotations of a project. They are soft-deleted, and never removed.',
      projects: 'Projects, to look up the id of one.',
    },
    tagOf: ({ path }) => path.split('/')[4] ?? 'projects',
    responseSchemas: {
      Plugin: pluginShape,
      PluginPage: pageShape(pluginShape),
      PluginConfiguration: pluginConfigurationShape,
      PluginActivity: activityEntryShape,
      CatalogueEntry: catalogueEntryShape,
      Annotation: annotationShape,
      AnnotationPage: pageShape(annotationShape),
      Project: projectShape,
      ProjectPage: pageShape(projectShape),
    },
    requestBodies: {
      NewPlugin: newPlugin,
      PluginChanges: pluginChanges,
      AnnotationChanges: annotationChanges,
    },
    securitySchemes: securitySchemes(settings),
    securityOf: (endpoint) => securityOf(endpoint, settings),
    errorsOf: (endpoint) => commonFailures(endpoint, settings),
    errorExample: (name) => (name === 'throttled' ? throttledFailure(12) : new Failure(name)),
    parameters: settings['paths.format'] === 'off' ? [] : [formatParameter],
    mediaTypes: () => acceptedMediaTypes(settings),
  }
}

const formatParameter = {
  name: 'format',
  in: 'query',
  required: false,
  description: 'The format of the response. JSON is the only one.',
  schema: { enum: ['json', ''] },
}

/** OpenAPI cannot describe a key in a body, so such a request is described as one without a key. */
function securitySchemes(settings: SettingValues): Record<string, object> {
  const inHeader = {
    type: 'http',
    scheme: 'bearer',
    description:
      'A personal API key. An operation requires one of its scopes. A key with the scope `*`, or without scopes, has full access.',
  }
  const inQuery = {
    type: 'apiKey',
    in: 'query',
    name: 'personal_api_key',
    description:
      'The same key as a query parameter. A body field of this name works as well; then no scheme is needed.',
  }
  return {
    personalApiKey: inHeader,
    ...(settings['keys.places'] === 'header' ? {} : { personalApiKeyInQuery: inQuery }),
  }
}

function securityOf({ scope, body = null }: Endpoint, settings: SettingValues): object[] {
  const rule = resolveBySetting(scope, settings)
  const scopes = rule.includes(':') ? enoughFor(rule, settings).map((scope) => [scope]) : [[]]
  const schemes = Object.keys(securitySchemes(settings))
  const acceptsKeyInBody = schemes.length > 1 && resolveBySetting<unknown>(body, settings) !== null
  return [
    ...schemes.flatMap((scheme) => scopes.map((names) => ({ [scheme]: names }))),
    ...(acceptsKeyInBody ? [{}] : []),
  ]
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

function describedSettings(endpoint: Endpoint, settings: SettingValues): SettingId[] {
  const tracked = new TrackedValues(settings)
  toOpenApiDocument([endpoint], tracked.settings, {
    ...apiOptions(tracked.settings),
    info: { title: '', version },
    responseSchemas: {},
    requestBodies: {},
  })
  const reads = new Set(tracked.takeReads())
  return settingIds.filter((id) => reads.has(id))
}

function describeSetting(id: SettingId, settings: SettingValues): object {
  const { question, values } = settingsById[id]
  const value = settings[id]
  const known: Readonly<Record<string, PossibleValue>> = values
  const { meaning, evidence, source } = (known[value] ?? known.integer) as PossibleValue
  return { value, question, answer: meaning, evidence, source }
}

interface ObservedOperation {
  /** Undefined if the settings let no request succeed */
  readonly example: OperationExample | undefined
  /** The ids of the settings that affected the response */
  readonly settings: readonly string[]
}

/** A fixed time, so that the examples are always the same. */
const exampleTime = '2024-06-15T12:00:00Z'

/** Sends one valid request to each operation, by id, in the world `default`. Each finds the world unchanged. */
async function observeOperations(
  endpoints: readonly Endpoint[],
  settings: SettingValues,
): Promise<Map<string, ObservedOperation>> {
  const simulator = createSimulator({ world: 'default', clock: exampleTime, settings: settings })
  const key = simulator.keys.issue({ scopes: null })
  const initial = simulator.snapshot()
  const observed = new Map<string, ObservedOperation>()
  for (const endpoint of endpoints) {
    observed.set(endpoint.id, await observe(endpoint, simulator, key))
    simulator.restore(initial)
  }
  return observed
}

async function observe(
  endpoint: Endpoint,
  simulator: Simulator,
  key: string,
): Promise<ObservedOperation> {
  const send = (method: string, path: string, body?: unknown) =>
    simulator.fetch(path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const settings = simulator.settings.values
  const list = resolvePath(endpoint.path.replace(/\/:id(\/.*)?$/, ''), simulator)
  const row = await fullestRow(await send('GET', list))
  const requestBody = toRequestBody(endpoint, row, settings)
  // A new plugin must not have the URL of another one.
  if (endpoint.method === 'POST' && !endpoint.path.includes(':id')) {
    await send('DELETE', `${list}/${row.id}`)
  }
  const path = resolvePath(endpoint.path, simulator).replace(':id', String(row.id))
  const response = await send(endpoint.method, path, requestBody)
  const isExpected = response.status === resolveBySetting(endpoint.status, settings)
  // Some settings affect only the response to an invalid path.
  await send(endpoint.method, endpoint.path.replace(/:\w+/g, 'unknown'))
  const entries = simulator.journal.find({ limit: 2 })
  const headers = Object.fromEntries(response.headers)
  const example = { requestBody, response: toResponseExample(headers, await response.text()) }
  return {
    example: isExpected ? example : undefined,
    settings: entries.flatMap(({ settings }) => settings.map(({ id }) => id)),
  }
}

function resolvePath(path: string, { defaults }: Simulator): string {
  return path
    .replace(':project_id', String(defaults.project_id))
    .replace(':organization_id', defaults.organization_id)
}

type Row = { readonly [field: string]: unknown }

async function fullestRow(page: Response): Promise<Row> {
  const { results = [] } = (await page.json()) as { results?: Row[] }
  const [row = {}] = results.toSorted((a, b) => countValues(b) - countValues(a))
  return row
}

function countValues(row: Row): number {
  return Object.values(row).filter((value) => value !== null && value !== '').length
}

/** A body with the values of an existing row, or undefined if the operation has no body. */
function toRequestBody(endpoint: Endpoint, row: Row, settings: SettingValues): unknown {
  const body = resolveBySetting(endpoint.body ?? null, settings) as DescribedBody | null
  if (body === null) return undefined
  const fields = enabledFields(body, settings).filter((name) => (row[name] ?? null) !== null)
  return Object.fromEntries(fields.map((name) => [name, row[name]]))
}

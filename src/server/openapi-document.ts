import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { type NodeRequest, requestOrigin } from '../adapters/express/node-request.ts'
import { sendError } from '../adapters/express/node-response.ts'
import { Failure, quote } from '../http/failures.ts'
import { queryString, receivedTarget } from '../http/messages.ts'
import { splitSandboxPath } from '../http/route.ts'
import { toProfile } from '../settings/resolve.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { isObject, mapValues } from '../utils/json.ts'
import { packageFile } from '../utils/package-file.ts'
import { parseQuery } from '../utils/query.ts'
import type { World } from '../world/edit/edit-rows.ts'

/** The documents that the package contains: of the API in each profile, and of the admin API. */
const files = {
  documented: 'src/api/openapi.json',
  live: 'src/api/openapi.live.json',
  admin: 'src/admin/openapi.json',
} as const

/**
 * Serves the OpenAPI document of the profile that is nearest to the settings, at `/openapi.json` of a simulator and of
 * its sandboxes, that of the admin API at `/__admin/openapi.json`, and with `?version=3.0` their older form. Everybody
 * may read them, without a key.
 *
 * @returns a function that says whether a request was for one
 */
export function serveDocuments(
  simulator: Simulator,
  report: (error: unknown) => void,
): (request: NodeRequest, response: ServerResponse) => boolean {
  const send = async (
    request: NodeRequest,
    response: ServerResponse,
    file: string,
    world: World,
  ): Promise<void> => {
    const document = await readDocument(file, versionOf(request.url ?? '/'))
    addOrigin(document, requestOrigin(request))
    addValues(document, world)
    const json = JSON.stringify(document, null, 2)
    const length = Buffer.byteLength(json)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
    response.end(json)
  }
  return (request, response) => {
    const { method, url = '/' } = request
    if (!url.includes('openapi.json') || (method !== 'GET' && method !== 'HEAD')) return false
    const target = splitSandboxPath(receivedTarget(url))
    const path = /^(\/__admin)?\/openapi\.json(?:[?#]|$)/.exec(target.path)
    const { sandboxId } = target
    const described = sandboxId === undefined ? simulator : simulator.sandboxes.get(sandboxId)
    if (!path || !described) return false
    const file = files[path[1] ? 'admin' : toProfile(described.settings.values).profile]
    send(request, response, file, described.world).catch((error) =>
      sendError(response, error, report),
    )
    return true
  }
}

interface Document {
  readonly servers: readonly { url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly parameters?: readonly (Described & { readonly name: string; readonly in: string })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Described>> }
}

interface Described {
  schema: { readonly allOf?: readonly object[]; default?: unknown }
  example?: unknown
}

/** Importers such as Postman and Bruno take no relative URL, and put a path with a slash after a slash. */
function addOrigin({ servers }: Document, origin: string): void {
  for (const server of servers) server.url = origin + server.url.replace(/\/$/, '')
}

/** Importers fill in ids of rows, and bodies. Postman reads no examples unless a setting says so: it takes defaults. */
function addValues({ paths }: Document, world: World): void {
  const [project] = world.projects.list()
  const { id: ofOrganization } = world.organizations.list()[0] ?? {}
  const organization = project?.organization ?? ofOrganization
  const plugins = world.plugins.list().filter((row) => row.organization === organization)
  const annotations = world.annotations
    .list()
    .filter((row) => row.project === project?.id && !row.deleted)
  for (const [path, item] of Object.entries(paths)) {
    if (!path.startsWith('/api/')) continue
    const rows = path.startsWith('/api/organizations') ? plugins : annotations
    for (const [method, { parameters = [], requestBody }] of Object.entries(item)) {
      // Whoever sends all requests in order must not delete the row of those that follow.
      const id = rows.at(method === 'delete' ? -1 : 0)?.id
      const ids = { organization_id: organization, project_id: project?.id, id }
      for (const parameter of parameters) {
        const value = parameter.in === 'path' ? ids[parameter.name as keyof typeof ids] : undefined
        if (value !== undefined) parameter.example = parameter.schema.default = value
      }
      const { content = {} } = requestBody ?? {}
      const body = content['application/json']?.example
      // A reference would hide its neighbour.
      for (const media of Object.values(content)) {
        if (body !== undefined) media.schema = { allOf: [media.schema], default: body }
      }
    }
  }
}

type OpenApiVersion = (typeof openApiVersions)[number]

/** Returns the version of OpenAPI that a URL asks for. @throws Failure for one that no document has */
export function versionOf(url: string): OpenApiVersion {
  const [newest] = openApiVersions
  const asked = parseQuery(queryString(url)).get('version') ?? newest
  const version = openApiVersions.find((name) => name === asked)
  if (version !== undefined) return version
  const detail = `Failed to read the document: expected version ${openApiVersions.join(' or ')}, got ${quote(asked)}.`
  throw new Failure('validation_error', detail, { attr: 'version' })
}

async function readDocument(file: string, version: OpenApiVersion): Promise<Document> {
  const document = JSON.parse(await readFile(packageFile(file), 'utf8'))
  return version === '3.1' ? document : (toOpenApi30(document) as Document)
}

type Schema = Readonly<Record<string, unknown>>

/** The versions of OpenAPI that a document is served in. */
const openApiVersions = ['3.1', '3.0'] as const

/**
 * Converts an OpenAPI 3.1 document to 3.0.3, for generators that read no other. Schemas lose what the older dialect of
 * JSON Schema cannot say, such as the pattern of a property name, and keep their types.
 */
export function toOpenApi30(document: object): object {
  const { info, ...parts } = document as { info: { license: { name: string; identifier: string } } }
  const { name, identifier } = info.license
  const license = { name, url: `https://spdx.org/licenses/${identifier}.html` }
  return { ...withOlderSchemas(parts), openapi: '3.0.3', info: { ...info, license } }
}

/** Examples are values, which can have any names. */
const values: readonly string[] = ['example', 'examples', 'default', 'enum']

function withOlderSchemas<T extends object>(node: T): T {
  return mapValues(node, (part, name) => {
    if (typeof part !== 'object' || part === null || values.includes(name)) return part
    if (name === 'schema') return toOlderSchema(part)
    return name === 'schemas' ? mapValues(part, toOlderSchema) : withOlderSchemas(part)
  })
}

function toOlderSchema(node: unknown): unknown {
  if (node === true) return {}
  if (!isObject(node)) return node
  const { $ref, type, const: only, propertyNames: _, ...rest } = node as Schema
  const keywords = { ...olderKeywords(rest), ...(only !== undefined && { enum: [only] }) }
  if ($ref !== undefined) {
    return Object.keys(keywords).length === 0 ? { $ref } : { allOf: [{ $ref }], ...keywords }
  }
  // A type, also of nulls only, or a type and null.
  const [name, orNull] = [type].flat()
  if (name === 'null') return onlyNull
  return withNull({ ...(name !== undefined && { type: name }), ...keywords }, orNull === 'null')
}

/** `nullable` needs a type, which says nothing more here. */
const onlyNull: Schema = { type: 'string', nullable: true, enum: [null] }

function withNull(schema: Schema, isNullable: boolean): Schema {
  return isNullable ? { ...schema, nullable: true } : schema
}

function olderKeywords(schema: Schema): Schema {
  const keywords: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(schema)) {
    if (name === 'properties') keywords[name] = mapValues(part as object, toOlderSchema)
    else if (name === 'anyOf' || name === 'oneOf') Object.assign(keywords, olderUnion(name, part))
    else if (name === 'allOf' || name === 'x-accepts') keywords[name] = olderList(part)
    else if (name === 'items' || name === 'not') keywords[name] = toOlderSchema(part)
    else if (name === 'additionalProperties') {
      keywords[name] = isObject(part) ? toOlderSchema(part) : part
    } else keywords[name] = part
  }
  return keywords
}

const olderList = (schemas: unknown) => (schemas as unknown[]).map(toOlderSchema)

/** A union with null is the rest of it, which can be null. */
function olderUnion(name: string, members: unknown): Schema {
  const schemas = (members as Schema[]).filter(({ type }) => type !== 'null')
  const isNullable = schemas.length < (members as Schema[]).length
  const [first, ...others] = olderList(schemas) as Schema[]
  if (first && others.length === 0 && first.$ref === undefined) return withNull(first, isNullable)
  return { [name]: [first, ...others, ...(isNullable ? [onlyNull] : [])] }
}

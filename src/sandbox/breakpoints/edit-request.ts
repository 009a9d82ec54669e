import { endpoints, pathItems, type World } from '../../api/endpoints.ts'
import {
  type ApiRequest,
  bodyLength,
  bodyText,
  isOmitted,
  type OmittedBody,
} from '../../http/messages.ts'
import { type ResolvedRoute, resolveRoute } from '../../http/route.ts'
import { suggestEndpoints } from '../../http/unknown-path.ts'
import {
  apiPath,
  createPathMatcher,
  queryString,
  requestTarget,
  toBaseUrl,
} from '../../http/url.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { issuesError } from '../../utils/issues.ts'
import { toJsonText } from '../../utils/json.ts'
import { type UsageError, unexpectedValue } from '../../utils/usage-error.ts'
import type { SentRequest } from '../journal/journal.ts'
import type { RequestChanges } from './breakpoint-request.ts'

/** An edited request, its route, and what the client sent instead. */
export interface EditedRequest {
  readonly route: ResolvedRoute<World>
  readonly request: ApiRequest
  /** Empty if the changes change nothing */
  readonly sent: SentRequest
}

/** The journal stores the body that a client sent, beside the edited one, up to this length in bytes. */
const maxSentBody = 16_384

/**
 * Replaces parts of a request. The API serves the new one as if the client had sent it, in the same sandbox.
 *
 * @throws UsageError for a path that no operation has under these policies
 */
export function editRequest(
  original: ApiRequest,
  changes: RequestChanges,
  settings: PolicySettings,
): EditedRequest {
  const oldTarget = requestTarget(original.url)
  const { method = original.method } = changes
  const path =
    changes.path === undefined
      ? withQuery(apiPath(pathOf(oldTarget)), original.query)
      : encodePath(changes.path)
  const route = findRoute(method, path, settings)
  const headers = new Headers([...original.headers.entries()])
  for (const [name, value] of Object.entries(changes.headers ?? {})) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  const body = changes.body === undefined ? original.body : encodeBody(changes.body)
  if (changes.body !== undefined) {
    const names = Object.keys(changes.headers ?? {}).map((name) => name.toLowerCase())
    const isTyped = typeof changes.body === 'string' || names.includes('content-type')
    if (!isTyped) headers.set('content-type', 'application/json')
    headers.delete('transfer-encoding')
    if (body === null) headers.delete('content-length')
    else headers.set('content-length', String(bodyLength(body)))
  }
  const isChanged = (changes.method ?? changes.body) !== undefined
  if (isChanged && /^(?:GET|HEAD)$/.test(method) && (bodyLength(body) ?? 0) > 0) {
    throw bodyError(method, body)
  }
  const limit = route.endpoint.bodyLimit ?? settings['limits.body']
  const request: ApiRequest = {
    method,
    url: original.url.slice(0, original.url.indexOf(oldTarget)) + replacePath(oldTarget, path),
    target: replacePath(original.target, path),
    query: queryString(path),
    headers,
    body: body instanceof Uint8Array && body.length > limit ? { omitted: body.length } : body,
    ...(original.onAbort && { onAbort: original.onAbort.bind(original) }),
  }
  return { route, request, sent: findSent(original, request) }
}

/** No client sends a body with GET: `fetch` refuses to. */
function bodyError(method: string, body: ApiRequest['body']): UsageError {
  const text = `expected none with ${method}, got ${bodyLength(body)} bytes. Set body to "" to send none.`
  return issuesError('Failed to continue the request.', [{ path: ['body'], text }])
}

function findRoute(method: string, path: string, settings: PolicySettings): ResolvedRoute<World> {
  for (const item of pathItems) {
    const location = createPathMatcher(item.pattern, toBaseUrl('*')).match(path)
    const route = location && resolveRoute(item, method, location, settings)
    if (route) return route
  }
  const expected = 'a path of the API that its policies enable'
  const [nearest] = suggestEndpoints(method, pathOf(path), endpoints, settings)
  throw unexpectedValue('continue the request', expected, path, nearest?.route, 'path')
}

/** The parts in which two requests differ, as the client sent them. */
function findSent(
  original: ApiRequest,
  { method, target, headers, body }: ApiRequest,
): SentRequest {
  const names = new Set([...original.headers.entries(), ...headers.entries()].map(([name]) => name))
  const changed = [...names]
    .map((name) => [name, original.headers.get(name)] as const)
    // It follows from the body.
    .filter(([name, value]) => value !== headers.get(name) && name !== 'content-length')
  return {
    ...(method !== original.method && { method: original.method }),
    ...(target !== original.target && { target: original.target }),
    ...(changed.length > 0 && { headers: Object.fromEntries(changed) }),
    ...(body !== original.body &&
      !isSameBody(body, original.body) && { body: sentBody(original.body) }),
  }
}

function isSameBody(one: ApiRequest['body'], other: ApiRequest['body']): boolean {
  if (isOmitted(one) || isOmitted(other)) return false
  return bodyText(one) === bodyText(other)
}

function sentBody(body: ApiRequest['body']): string | OmittedBody | null {
  const bytes = bodyLength(body) ?? 0
  if (bytes === 0) return null
  return bytes > maxSentBody || isOmitted(body) ? { omitted: bytes } : bodyText(body)
}

/** An empty text stands for no body. */
function encodeBody(body: RequestChanges['body']): Uint8Array | null {
  const text = typeof body === 'string' ? body : toJsonText(body).text
  return text === '' ? null : new TextEncoder().encode(text)
}

/** Percent-encodes what a URL cannot contain, and resolves `..`. */
function encodePath(path: string): string {
  return requestTarget(new URL(path, 'http://localhost').href)
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`
}

function pathOf(target: string): string {
  return target.split('?')[0] as string
}

/** Replaces the part of a target that is a path of the API, with its query: a mount path and a sandbox stay. */
function replacePath(target: string, path: string): string {
  const old = pathOf(target)
  return old.slice(0, old.length - apiPath(old).length) + path
}

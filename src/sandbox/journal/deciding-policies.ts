import { pathItems, type World } from '../../api/endpoints.ts'
import { answer } from '../../http/answer.ts'
import type { EndpointContext } from '../../http/endpoint.ts'
import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import { type ResolvedRoute, resolveRoute } from '../../http/route.ts'
import { apiPath, createPathMatcher, queryString } from '../../http/url.ts'
import { type PolicyId, type PolicySettings, policies } from '../../policies/policies.ts'
import { servicePolicies } from '../../policies/service.ts'
import { listReadPolicies, type TrackedSettings } from '../../policies/tracked-settings.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import { rowIdOf } from '../../world/table/lists.ts'
import { forkTables } from '../../world/table/tables.ts'
import type { ChangeHistory } from '../history/history.ts'
import type { Journal } from './journal.ts'
import { isOmitted, type JournalRecord } from './record.ts'

/** The parts of a sandbox from which a stored request is answered again. */
export interface DecisionSource {
  readonly journal: Journal
  readonly history: ChangeHistory
  readonly loaded: LoadedWorld
  fork(loaded: LoadedWorld): EndpointContext<World> & {
    settings: PolicySettings
    readonly policyTracker: TrackedSettings
  }
}

/** These say only which status a refusal has. They are named if no policy decides that the request is refused. */
const statusPolicies: readonly PolicyId[] = ['keys.missing.status', 'keys.insufficient.status']

/**
 * Finds the policies that decided a refusal: with another value of any one of them, `would_be`, the status would have
 * been another. If some values would have accepted the request, only their policies are returned. The request is answered
 * again under each other value of each policy that was read, in copies of the rows as they were then.
 *
 * @returns an empty list if no policy decided, if a fault did, or if these rows are no longer known
 */
export function findDecisions(
  record: JournalRecord,
  source: DecisionSource,
): readonly { readonly id: PolicyId; readonly would_be: string | number }[] {
  const { settings, response, fault, requestBody } = record
  if (response.status < 400 || fault) return []
  if (response.status === 413 && isOmitted(requestBody)) {
    // Without Content-Length, the length of a body that was dropped is not known.
    const { maximum = 0 } = servicePolicies['limits.body'].values.integer
    return [{ id: 'limits.body', would_be: requestBody.omitted || maximum }]
  }
  const { journal } = source
  const { length } = journal.records
  const position = journal.position - length + journal.records.lastIndexOf(record)
  const loaded = loadedBefore(position, source)
  if (!loaded) return []
  let copy: ReturnType<DecisionSource['fork']> | null = null
  const statusWith = (changes: object): number => {
    copy ??= source.fork(copyOf(loaded))
    copy.settings = { ...settings, ...changes }
    const status = answerAgain(record, copy)
    const { policyTracker } = copy
    // A request that is accepted may have changed the rows.
    if (status < 400) copy = null
    read ??= listReadPolicies(policyTracker.takeReads())
    return status
  }
  let read: readonly PolicyId[] | null = null
  if (statusWith({}) !== response.status) return []
  const differing = (read ?? []).flatMap((id: PolicyId) =>
    Object.keys(policies[id].values)
      .filter((value) => value !== 'integer' && value !== settings[id])
      .map((would_be) => ({ id, would_be, status: statusWith({ [id]: would_be }) }))
      .filter(({ status }) => status !== response.status),
  )
  const accepting = differing.filter(({ status }) => status < 400)
  const reasons = differing.filter(({ id }) => !statusPolicies.includes(id))
  const found = [accepting, reasons].find(({ length }) => length > 0) ?? differing
  return found.filter(({ id }, index) => found.findIndex((first) => first.id === id) === index)
}

/**
 * The rows before a request, or null if they are no longer known.
 *
 * @param position the journal position of the request
 * @param withEdits whether to include the edits right before the request
 */
export function loadedBefore(
  position: number,
  { history, loaded }: Pick<DecisionSource, 'history' | 'loaded'>,
  withEdits = true,
): LoadedWorld | null {
  const copy = copyOf(loaded)
  for (const { list, before, after, position: written, cause } of history.latestWrites()) {
    const isBefore = written === position && (withEdits || 'entry' in cause)
    if (isBefore || written < position) return copy
    const table = copy.tables[list] as unknown as Record<TableWrite, (row: unknown) => void>
    const [id, isKeyed] = [rowIdOf(list, (before ?? after) as object), 'set' in table]
    if (before === undefined || !isKeyed) table[isKeyed ? 'delete' : 'remove'](id)
    if (before) table[isKeyed ? 'set' : 'insert'](before)
  }
  const isReplaced = history
    .edits()
    .some(({ edit }) => 'tables' in edit && edit.position >= position + Number(withEdits))
  return isReplaced || history.isTruncated ? null : copy
}

/** Tables by text are written by `set` and `delete`. */
type TableWrite = 'set' | 'delete' | 'insert' | 'remove'

function copyOf(loaded: LoadedWorld): LoadedWorld {
  return { ...loaded, tables: forkTables(loaded.tables) }
}

/** Answers a stored request again. Returns the status. */
function answerAgain(record: JournalRecord, copy: EndpointContext<World>): number {
  const { settings, world, directory } = copy
  const route = findRoute(record, settings)
  if (!route) return 404
  // The count of earlier requests is not stored, so a request over the rate limit stays over it.
  const throttle = () => Number(settings['limits.rate'] !== 'off' && record.response.status === 429)
  const context = { settings, world, directory, throttle, report() {} }
  return (answer(route, toRequest(record), context) as ApiResponse).status
}

const matchers = pathItems.map((pathItem) => ({
  pathItem,
  matcher: createPathMatcher(pathItem.pattern, { origin: '*', prefix: '' }),
}))

/** The route of a stored request under these policies. Reading them is tracked. */
export function findRoute(
  { method, target }: Pick<JournalRecord, 'method' | 'target'>,
  settings: PolicySettings,
): ResolvedRoute<World> | null {
  for (const { pathItem, matcher } of matchers) {
    const location = matcher.match(apiPath(target))
    if (location) return resolveRoute(pathItem, method, location, settings)
  }
  return null
}

function toRequest({ method, target, requestHeaders, requestBody }: JournalRecord): ApiRequest {
  const bytes =
    typeof requestBody === 'string' ? new TextEncoder().encode(requestBody) : requestBody
  const body = isOmitted(bytes) ? 'too_large' : bytes
  const [url, query] = [`http://localhost${target}`, queryString(target)]
  return { method, url, target, query, headers: requestHeaders, body }
}

import { pathItems, type World } from '../../api/endpoints.ts'
import { answer } from '../../http/answer.ts'
import type { EndpointContext } from '../../http/endpoint.ts'
import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import { type ResolvedRoute, resolveRoute } from '../../http/route.ts'
import { apiPath, createPathMatcher, queryString } from '../../http/url.ts'
import { type PolicyId, type PolicySettings, policies } from '../../policies/policies.ts'
import { listReadPolicies, type TrackedSettings } from '../../policies/tracked-settings.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import { rowIdOf } from '../../world/table/lists.ts'
import { forkTables } from '../../world/table/tables.ts'
import type { ChangeHistory, RowChange } from '../history/history.ts'
import type { Journal } from './journal.ts'
import { isOmitted, type JournalRecord } from './record.ts'

/** The parts of a sandbox from which a stored request is answered again. */
export interface DecisionSource {
  readonly journal: Journal
  readonly history: ChangeHistory
  readonly loaded: LoadedWorld
  fork(loaded: LoadedWorld): SandboxCopy
}

interface SandboxCopy extends Pick<EndpointContext<World>, 'world' | 'directory'> {
  settings: PolicySettings
  readonly policyTracker: TrackedSettings
}

/** A policy, and the first of its other values that would have changed the status of a response. */
export interface Decision {
  readonly id: PolicyId
  readonly would_be: string | number
}

/** These say only which status a refusal has. They are named if no policy decides that the request is refused. */
const statusPolicies: readonly PolicyId[] = ['keys.missing.status', 'keys.insufficient.status']

/**
 * Finds the policies that decided a refusal: with another value of any one of them, the status would have been another.
 * If some values would have accepted the request, only their policies are returned. The request is answered again under
 * each other value of each policy that was read, in copies of the rows as they were then.
 *
 * @returns an empty list if no policy decided, if a fault did, or if these rows are no longer known
 */
export function findDecisions(record: JournalRecord, source: DecisionSource): readonly Decision[] {
  const { settings, response, fault, requestBody } = record
  if (response.status < 400 || fault) return []
  if (response.status === 413 && isOmitted(requestBody)) {
    // Without Content-Length, the length of a body that was dropped is not known.
    const { omitted } = requestBody
    return [
      {
        id: 'limits.body',
        would_be: omitted || (policies['limits.body'].values.integer?.maximum ?? 0),
      },
    ]
  }
  const loaded = loadedBefore(record, source)
  if (!loaded) return []
  let copy: SandboxCopy | null = null
  const trial = (changes: object): Trial => {
    copy ??= source.fork(copyOf(loaded))
    const result = answerAgain(record, { ...settings, ...changes }, copy)
    // A request that is accepted may have changed the rows.
    if (result.status < 400) copy = null
    return result
  }
  const repeated = trial({})
  if (repeated.status !== response.status) return []
  const others = repeated.read.flatMap((id) =>
    Object.keys(policies[id].values)
      .filter((value) => value !== 'integer' && value !== settings[id])
      .map((would_be) => ({ id, would_be, status: trial({ [id]: would_be }).status })),
  )
  const differing = others.filter(({ status }) => status !== response.status)
  const found =
    [
      differing.filter(({ status }) => status < 400),
      differing.filter(({ id }) => !statusPolicies.includes(id)),
    ].find(({ length }) => length > 0) ?? differing
  return found.filter(({ id }, index) => found.findIndex((first) => first.id === id) === index)
}

/** The rows before a request, or null if they are no longer known. */
function loadedBefore(
  record: JournalRecord,
  { journal, history, loaded }: DecisionSource,
): LoadedWorld | null {
  const { records } = journal
  const index = records.lastIndexOf(record)
  const writes = writesAfter(journal.position - records.length + index, history)
  if (index < 0 || !writes) return null
  const copy = copyOf(loaded)
  for (const { list, before, after } of writes) {
    const table = copy.tables[list] as unknown as WritableTable
    const id = rowIdOf(list, (before ?? after) as object)
    if (before === undefined) table.delete ? table.delete(id) : table.remove(id)
    else if (table.set) table.set(before)
    else if (after === undefined) table.insert(before)
    else table.replace(before)
  }
  return copy
}

/** The writes from a journal position on, the latest first, or null if the rows before them are no longer known. */
function writesAfter(position: number, history: ChangeHistory): RowChange[] | null {
  const writes: RowChange[] = []
  for (const change of history.latestWrites()) {
    if (change.position <= position) return writes
    writes.push(change)
  }
  const isReplaced = history
    .edits()
    .some((edited) => 'tables' in edited.edit && edited.position > position)
  return isReplaced || history.isTruncated ? null : writes
}

/** Both kinds of tables: `set` and `delete` are those of a table by text. */
interface WritableTable {
  insert(row: object): void
  replace(row: object): void
  remove(id: unknown): void
  set?(row: object): void
  delete?(id: unknown): void
}

function copyOf(loaded: LoadedWorld): LoadedWorld {
  return { ...loaded, tables: forkTables(loaded.tables) }
}

interface Trial {
  readonly status: number
  /** The policies that were read */
  readonly read: readonly PolicyId[]
}

/** Answers a stored request under other policies. */
function answerAgain(record: JournalRecord, settings: PolicySettings, copy: SandboxCopy): Trial {
  copy.settings = settings
  const route = findRoute(record, copy.settings)
  // The count of earlier requests is not stored, so a request over the rate limit stays over it.
  const throttle = () =>
    copy.settings['limits.rate'] === 'off' || record.response.status !== 429 ? 0 : 1
  const { world, directory } = copy
  const context = { settings: copy.settings, world, directory, throttle, report() {} }
  const response = route && (answer(route, toRequest(record), context) as ApiResponse)
  return { status: response?.status ?? 404, read: listReadPolicies(copy.policyTracker.takeReads()) }
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
  const url = `http://localhost${target}`
  const body =
    typeof requestBody === 'string'
      ? new TextEncoder().encode(requestBody)
      : isOmitted(requestBody)
        ? 'too_large'
        : requestBody
  return { method, url, target, query: queryString(target), headers: requestHeaders, body }
}

import { isSafeMethod, isSuccess } from '../http/messages.ts'
import type { TestExpectation } from '../scenarios/format/scenario.ts'
import { operationWords } from '../scenarios/recording/to-step.ts'
import { type EffectName, effectNames, effectTraits, isBodyCut } from '../simulator/faults/fault.ts'
import type { Expectation } from '../simulator/journal/verify.ts'
import type { WorldAccess } from '../world/edit/world-access.ts'
import { countRows, rowsWantedBy } from './expected-rows.ts'
import type { PlayedEntry } from './played-entry.ts'

/** A failed request that nothing repairs, and what a test expects of it. */
interface Failure {
  readonly entry: PlayedEntry
  readonly expectation: TestExpectation
}

interface Failures {
  readonly failures: readonly Failure[]
  /** What failed requests wanted, and later ones reached */
  readonly reached: readonly TestExpectation[]
  /** The failures that later requests repaired, as clauses */
  readonly repaired: readonly string[]
}

/**
 * Finds the failed requests that nothing repairs. A failed write is repaired if the rows are in the end what it wanted,
 * whatever was sent. Another request is if a later one of the same method, path and query succeeds. A 404 for a row that
 * the client deleted itself is no failure, and neither is a redirect that the client followed.
 *
 * @param world the rows after all requests
 * @param doubled the creates that the client sent a second time
 */
export function findFailures(
  entries: readonly PlayedEntry[],
  world: WorldAccess,
  doubled: readonly PlayedEntry[],
): Failures {
  const ofDeletedRows = findOfDeletedRows(entries)
  const reached: TestExpectation[] = []
  const repaired = new Set<string>()
  const failures = entries.flatMap((entry, index): Failure[] => {
    const isDoubled = doubled.includes(entry)
    if (!isDoubled && (isOk(entry) || ofDeletedRows.has(entry))) return []
    if (entries.slice(index + 1).some((later) => isFollowing(entry, later))) return []
    const failed = isDoubled ? 'sent twice' : describeFailure(entry)
    const what = `${operationOf(entry)}: ${failed}`
    const key = revokedKeyOf(entry, entries)
    if (key !== null) {
      const expectation = { failure: what, received: { key, status: 401, at_most: 1 } }
      const refused = entries.filter((other) => revokedKeyOf(other, entries) === key)
      if (refused.length > 1) return [{ entry, expectation }]
      reached.push(expectation)
      repaired.add(what)
      return []
    }
    const isRepeated =
      !isDoubled && entries.slice(index + 1).some((later) => isRepetition(entry, later))
    const isSwallowed = entry.operation === 'deleteAnnotation' && entry.response.status === 405
    const isAboutRows = isDoubled || !isRefused(entry) || isSwallowed
    const rows = isAboutRows ? rowsWantedBy(entry, entries, world) : null
    const count = rows ? countRows(rows, world) : 0
    if (isDoubled && (!rows || count < rows.count)) return []
    if (rows ? count === rows.count : isRepeated) {
      repaired.add(isRepeated ? `${what}, retried` : what)
      if (rows) reached.push({ failure: what, rows })
      return []
    }
    if (!rows)
      return [
        {
          entry,
          expectation: { failure: what, received: toReceived(entry, entries, ofDeletedRows) },
        },
      ]
    const isDuplicate = isLostCreate(entry) && count > rows.count
    const retry = isDoubled ? 'which made a duplicate' : 'and the retry made a duplicate'
    const failure = isDuplicate ? `${what}, ${retry}` : what
    return [{ entry, expectation: { failure, rows } }]
  })
  return {
    failures: withoutRepeated(failures, ({ expectation }) => expectation),
    reached: withoutRepeated(reached, (expectation) => expectation),
    repaired: [...repaired],
  }
}

/** Items whose expectations differ: the first of equal ones. */
function withoutRepeated<T>(items: readonly T[], toExpectation: (item: T) => object): T[] {
  const names = items.map((item) => JSON.stringify({ ...toExpectation(item), failure: '' }))
  return items.filter((_, index) => names.indexOf(names[index] as string) === index)
}

function isOk(entry: PlayedEntry): boolean {
  return isSuccess(entry.recorded) && !isBodyCut(entry, entry.response.bytes)
}

/** Whether a later request is the same one, and succeeds. */
function isRepetition(entry: PlayedEntry, later: PlayedEntry): boolean {
  const isSame = later.method === entry.method && later.path === entry.path
  return isSame && isOk(later) && isSameQuery(later.query, entry.query)
}

/** The label of a key that was refused, and accepted before: a client can only stop. Null for another request */
function revokedKeyOf({ id, key, response }: PlayedEntry, entries: readonly PlayedEntry[]) {
  const isAccepted = (other: PlayedEntry): boolean =>
    other.id < id && other.key?.label === key?.label && isOk(other)
  return response.status === 401 && key?.label && entries.some(isAccepted) ? key.label : null
}

/** The order of parameters does not matter. */
function isSameQuery(...queries: readonly [PlayedEntry['query'], PlayedEntry['query']]): boolean {
  const [a, b] = queries.map((query) => JSON.stringify(Object.entries(query).sort()))
  return a === b
}

/** Whether a later request follows the redirect that another one got. */
function isFollowing({ path, response }: PlayedEntry, later: PlayedEntry): boolean {
  const { location } = response.headers
  if (response.status < 300 || response.status >= 400 || location === undefined) return false
  if (!URL.canParse(location, `http://localhost${path}`)) return false
  const { pathname, searchParams } = new URL(location, `http://localhost${path}`)
  return later.path === pathname && isSameQuery(later.query, Object.fromEntries(searchParams))
}

/** Whether a create was carried out, although the client got no success. */
function isLostCreate({ changes }: PlayedEntry): boolean {
  return changes.some(({ kind }) => kind === 'created')
}

/** What should have been received in place of a failure. */
function toReceived(
  entry: PlayedEntry,
  entries: readonly PlayedEntry[],
  ofDeletedRows: ReadonlySet<PlayedEntry>,
): Expectation {
  const { status } = entry.response
  const operation = entry.operation ?? undefined
  if (operation === undefined || isRefused(entry)) {
    const fine = [...ofDeletedRows].filter((other) => other.operation === operation).length
    const count = status === 404 && fine > 0 ? { at_most: fine } : { count: 0 }
    return { ...(operation !== undefined && { operation }), status, ...count }
  }
  const successes = entries.filter(
    (later) => later.operation === operation && isSuccess(later.response.status),
  )
  return { operation, status: '2xx', at_least: successes.length + 1 }
}

function operationOf({ operation, method, path }: PlayedEntry): string {
  return operation === null ? `${method} ${path}` : operationWords(operation)
}

/** @example 'response lost after the write' */
function describeFailure(entry: PlayedEntry): string {
  const { method, response, fault, changes, recorded } = entry
  const { status } = response
  const afterWrite = changes.length > 0 ? ' after the write' : ''
  if (status === 0 || isBodyCut(entry, response.bytes)) {
    if (Object(fault?.effect).cut_bytes !== undefined) return `response cut off${afterWrite}`
    if (isSafeMethod(method)) return 'response lost'
    return afterWrite ? `response lost${afterWrite}` : 'connection lost before the write'
  }
  if (status === 429) return 'throttled'
  const simulated = recorded === status ? '' : ` (${status} in a simulator)`
  return isRefused(entry)
    ? `refused with ${recorded}${simulated}`
    : `failed with ${status}${afterWrite}`
}

/** Whether the service refused a request that failed by its rules. */
function isRefused(entry: PlayedEntry): boolean {
  return isByRules(entry) && entry.response.status < 500
}

/** Whether no fault changed the response. One that edits rows or delays did not. */
function isByRules({ fault }: PlayedEntry): boolean {
  const isChanged = (name: EffectName) => ['replaces', 'changes'].includes(effectTraits[name].kind)
  return !effectNames.some((name) => isChanged(name) && name in Object(fault?.effect))
}

/** The first failure, and how many more there are. @param failures clauses, at least one */
export function countFailures(failures: readonly string[]): string {
  const [first = '', ...others] = new Set(failures)
  const rest = others.length === 1 ? 'one more failure' : `${others.length} more failures`
  return others.length === 0 ? first : `${first}, and ${rest}`
}

/** Finds reads and deletions that find no row because the client itself had deleted it. They are no failures. */
function findOfDeletedRows(entries: readonly PlayedEntry[]): ReadonlySet<PlayedEntry> {
  const deleted = new Set<string>()
  return new Set(
    entries.filter((entry) => {
      const { method, response, changes } = entry
      for (const { kind, fields } of changes) {
        if (kind === 'removed' || fields.deleted?.[1] === true) deleted.add(entry.path)
        else if (fields.deleted?.[1] === false) deleted.delete(entry.path)
      }
      const wantsNoRow = method === 'GET' || method === 'HEAD' || method === 'DELETE'
      return wantsNoRow && response.status === 404 && isByRules(entry) && deleted.has(entry.path)
    }),
  )
}

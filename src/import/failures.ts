import { isSuccess } from '../http/messages.ts'
import type { ClientRequest } from '../mistakes/client-request.ts'
import { acceptedFields } from '../mistakes/stored-fields.ts'
import { matchesAlias } from '../scenarios/format/matching.ts'
import type { ExpectedRows, TestExpectation } from '../scenarios/format/scenario.ts'
import { operationWords } from '../scenarios/recording/to-step.ts'
import {
  type EffectName,
  effectNames,
  effectTraits,
  type FaultRule,
} from '../simulator/faults/fault.ts'
import { describeExpectation, type Expectation } from '../simulator/journal/verify.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { isSameJson, type Json } from '../utils/json.ts'
import { isAlias } from '../utils/redaction/names.ts'
import { formatCount } from '../utils/text.ts'
import type { WorldAccess } from '../world/edit/world-access.ts'
import { entities } from '../world/entities/entities.ts'
import type { Entity } from '../world/entities/field.ts'
import { once } from '../world/schema/world-schema.ts'
import type { WrittenList } from './rows-seen.ts'

interface Failure {
  readonly request: ClientRequest
  readonly expectation: TestExpectation
}

/** @param doubled creates sent twice, overtaken updates, and requests sent before a 401 arrived */
export function findFailures(
  requests: readonly ClientRequest[],
  world: WorldAccess,
  doubled: readonly ClientRequest[],
) {
  const ofDeletedRows = findOfDeletedRows(requests)
  const reached: TestExpectation[] = []
  const repaired = new Set<string>()
  const failures = requests.flatMap((request, index): Failure[] => {
    const isDoubled = doubled.includes(request) && request.status !== 401
    if (!isDoubled && (request.isOk || ofDeletedRows.has(request))) return []
    const later = requests.slice(index + 1)
    const isSentAgain = later.some((other) => other.isOk && isRepetition(request, other))
    const isRedirect = Math.floor(request.status / 100) === 3
    // Clients follow these redirects of a POST with a GET.
    const isLeft = request.verb === 'create' && request.status <= 303 && !isSentAgain
    if (!isDoubled && isRedirect && !isLeft) return []
    const isBlind = isDoubled && !request.isOk
    const isOvertaken = isDoubled && request.isUpdate
    const apart = isOvertaken ? 'carried out after one that was sent later' : 'sent twice'
    const failed = isDoubled && !isBlind ? apart : describeFailure(request)
    const what = `${describeOperation(request)}: ${failed}`
    const key = revokedKeyOf(request, requests)
    if (key !== null) {
      const [lost] = isSentAgain ? [] : rowsWantedBy(request, requests, world)
      if (lost && rowsLike(lost, world).length !== lost.count)
        return [{ request, expectation: { failure: what, rows: lost } }]
      const refused = requests.filter((other) => revokedKeyOf(other, requests) === key)
      const at_most = 1 + refused.filter((other) => doubled.includes(other)).length
      const expectation = { failure: what, received: { key, status: 401, at_most } }
      if (refused.length > at_most) return [{ request, expectation }]
      // A client that goes on with a new key has learned it.
      if (!isSentAgain) reached.push(expectation)
      repaired.add(what)
      return []
    }
    const isRepeated = !isDoubled && isSentAgain
    const isSwallowed = request.record.operation === 'deleteAnnotation' && request.status === 405
    const isAboutRows = isDoubled || !isRefused(request) || isSwallowed
    const others = isOvertaken ? requests.filter((other) => other !== request) : requests
    const wanted = isOvertaken
      ? others.slice(0, index).findLast(({ isUpdate, path }) => isUpdate && path === request.path)
      : request
    const [rows, ...left] = wanted && isAboutRows ? rowsWantedBy(wanted, others, world) : []
    const count = rows ? rowsLike(rows, world).length : 0
    if (isDoubled && !isBlind && (!rows || (!isOvertaken && count < (rows.count || 1)))) return []
    reached.push(...left.map((own) => ({ failure: what, rows: own })))
    if (rows ? count === rows.count && !isBlind : isRepeated) {
      repaired.add(isRepeated ? `${what}, retried` : what)
      if (rows) reached.push({ failure: what, rows })
      return []
    }
    if (!rows) {
      const received = toReceived(request, requests, ofDeletedRows)
      return [{ request, expectation: { failure: what, received } }]
    }
    const isDuplicate = count > rows.count && request.changes.some(({ isNew }) => isNew)
    const retry =
      isDoubled && !isBlind ? 'which made a duplicate' : 'and the retry made a duplicate'
    const clause = isDuplicate ? retry : isBlind ? 'and sent again without a look' : null
    const failure = clause === null ? what : `${what}, ${clause}`
    return [{ request, expectation: { failure, rows } }]
  })
  return {
    failures: withoutRepeated(failures, ({ expectation }) => expectation),
    reached: withoutRepeated(reached, (expectation) => expectation),
    repaired: [...repaired],
  }
}

function withoutRepeated<T>(items: readonly T[], toExpectation: (item: T) => object) {
  const names = items.map((item) => JSON.stringify({ ...toExpectation(item), failure: '' }))
  return items.filter((_, index) => names.indexOf(names[index] as string) === index)
}

export function isRepetition(request: ClientRequest, later: ClientRequest): boolean {
  const { verb, isUpdate, path, address, record } = request
  const isChange = isUpdate || (verb === 'delete' && later.sent.deleted === true)
  const isSameVerb = later.record.method === record.method || (isChange && later.isUpdate)
  if (later.path !== path || !isSameVerb) return false
  return verb === 'create' ? isOfSameRow(request, later) : later.address === address
}

/** The fields by which people tell rows apart: texts, or else the time. */
const namingFields = [['content', 'name', 'url'], ['date_marker']]

function isOfSameRow(create: ClientRequest, later: ClientRequest) {
  const [sent, again] = [create.fields, later.fields]
  const { attr } = Object(create.received)
  const choices = namingFields.map((names) => names.filter((name) => name !== attr && sent[name]))
  const names = choices.find(({ length }) => length > 0) ?? []
  return names.every((name) => again[name] === sent[name])
}

/** The label of a key that was refused, and accepted before */
function revokedKeyOf(
  { record: { id }, key, status }: ClientRequest,
  requests: readonly ClientRequest[],
) {
  const isAccepted = (other: ClientRequest) =>
    other.record.id < id && other.key === key && other.isOk
  return status === 401 && key !== null && requests.some(isAccepted) ? key : null
}

function toReceived(
  request: ClientRequest,
  requests: readonly ClientRequest[],
  ofDeletedRows: ReadonlySet<ClientRequest>,
): Expectation {
  const { status } = request
  const operation = request.record.operation ?? undefined
  if (operation === undefined || (isByRules(request) && isRefused(request))) {
    const fine = [...ofDeletedRows].filter(({ record }) => record.operation === operation).length
    const count = status === 404 && fine > 0 ? { at_most: fine } : { count: 0 }
    return { ...(operation !== undefined && { operation }), status, ...count }
  }
  const part = queryOf(request)
  const successes = requests.filter(
    (other) =>
      other.record.operation === operation &&
      isSuccess(other.recorded) &&
      isSameJson(part, queryOf(other)),
  )
  return { operation, ...part, status: '2xx', at_least: successes.length + 1 }
}

/** Which rows of a list a request reads. A client may read a later page in parts. */
export function queryOf({
  verb,
  query,
}: Pick<ClientRequest, 'verb' | 'query'>): Pick<FaultRule, 'query'> {
  if (verb !== 'list') return {}
  const names = query.has('offset') ? ['offset', 'search'] : ['limit', 'offset', 'search']
  return { query: Object.fromEntries(names.map((name) => [name, query.get(name) ?? null])) }
}

function describeOperation({ record: { operation, method }, sentPath }: ClientRequest) {
  return operation === null ? `${method} ${sentPath}` : operationWords(operation)
}

function describeFailure(request: ClientRequest) {
  const { status, changes, recorded, faultEffect } = request
  const afterWrite = changes.length > 0 ? ' after the write' : ''
  if (request.isLost) {
    if (faultEffect.cut_bytes !== undefined) return `response cut off${afterWrite}`
    return `response lost${afterWrite}`
  }
  if (status === 429) return 'throttled'
  if (Math.floor(status / 100) === 3) return `redirected with ${status}, and not sent again`
  const simulated = recorded === status ? '' : ` (${status} in a simulator)`
  return isRefused(request)
    ? `refused with ${recorded}${simulated}`
    : `failed with ${status}${afterWrite}`
}

/** Whether the service refused a request that failed by its rules. Faults give a 400 for unknown bodies. */
function isRefused(request: ClientRequest) {
  return request.status === 400 || (isByRules(request) && request.status < 500)
}

/** Whether no fault changed the response. One that edits rows or delays did not. */
function isByRules({ faultEffect }: ClientRequest) {
  const isChanged = (name: EffectName) => ['replaces', 'changes'].includes(effectTraits[name].kind)
  return !effectNames.some((name) => isChanged(name) && name in faultEffect)
}

export function countFailures(failures: readonly string[]): string {
  const [first = '', ...others] = new Set(failures)
  const rest = others.length === 1 ? 'one more failure' : `${others.length} more failures`
  return others.length === 0 ? first : `${first}, and ${rest}`
}

/** Finds reads and deletions of a row that was deleted after the client saw it. Their 404 is no failure. */
function findOfDeletedRows(requests: readonly ClientRequest[]): ReadonlySet<ClientRequest> {
  const deleted = new Set<string>()
  const paths = new Set<string>()
  return new Set(
    requests.filter((request) => {
      const { record, status, changes, path, page, count, terms } = request
      if (changes.some(({ isDeleted }) => isDeleted)) deleted.add(path)
      if (isSuccess(request.recorded)) paths.add(path)
      const isWhole = page?.rows.length === count && terms.length === 0
      const lacked = isWhole ? [...paths].filter((row) => row.startsWith(`${path}/`)) : []
      for (const row of lacked) paths.delete(row)
      for (const { id } of page?.rows ?? []) paths.add(`${path}/${id}`)
      const wantsNoRow = ['GET', 'HEAD', 'DELETE'].includes(record.method)
      const wasThere = deleted.has(path) || paths.has(path)
      return wantsNoRow && status === 404 && isByRules(request) && wasThere
    }),
  )
}

/** Without a full stop, as runners show it. */
export function describeRows({ list, where, count }: ExpectedRows): string {
  const { id, deleted, ...others } = where
  const [other] = Object.entries(others)
  const row = count === 0 && id !== undefined && `${list.replace(/s$/, '')} ${id}`
  if (row && deleted === false && !other) return `${row} was not deleted`
  if (row && deleted === undefined && other)
    return `${row} has ${other[0]} ${JSON.stringify(other[1])} again, over what others wrote: send only what the user changed`
  // A content has 400 characters.
  const shown = (value: unknown) => JSON.stringify(value).slice(0, 1_000)
  const values = Object.entries(where).map(([name, value]) => `${name} ${shown(value)}`)
  return `Expected ${formatCount(count, 'row')} of ${list} with ${values.join(' and ')}`
}

export function rowsLike(
  { list, where }: Omit<ExpectedRows, 'count'>,
  world: Readonly<Record<WrittenList, { readonly list: () => readonly { readonly id: number }[] }>>,
): { readonly id: number }[] {
  const rows: readonly { readonly id: number }[] = world[list].list()
  const fields = Object.entries(where).map(([name, value]) => {
    // A part of this text is hidden. The client sends the whole text.
    const isOpen = where.id === undefined && !(typeof value !== 'object' && isAlias(String(value)))
    return { name, value, json: JSON.stringify(value), isOpen }
  })
  return rows.filter((row) =>
    fields.every(({ name, value, json, isOpen }) => {
      const own = Object(row)[name]
      return (isOpen ? matchesAlias(value, own) : undefined) ?? JSON.stringify(own) === json
    }),
  )
}

/** The rows that a client wanted with a failed request, however it reaches them, and those that later ones made of them. */
function rowsWantedBy(
  entry: ClientRequest,
  entries: readonly ClientRequest[],
  world: WorldAccess,
): ExpectedRows[] {
  const { list, verb, isUpdate } = entry
  const isWrite = verb === 'create' || isUpdate || verb === 'delete'
  if (!isWrite || (list !== 'annotations' && list !== 'plugins')) return []
  const later = entries.slice(entries.indexOf(entry) + 1)
  if (verb === 'create') return createdRows(entry, entries, list, world)
  if (!entry.row) return []
  const { id } = entry.row
  const fields = storedFields(entry, list)
  if (verb === 'delete' || fields.deleted === true) {
    if (later.some(({ path, sent }) => path === entry.path && sent.deleted === false)) return []
    const where = list === 'annotations' ? { id, deleted: false } : { id }
    return [{ list, where, count: 0 }]
  }
  // What the client sets later is what it wants in the end.
  const own = Object.entries(fields).filter(
    ([field]) => !later.some((write) => write.path === entry.path && field in write.sent),
  )
  return own.length === 0 ? [] : [{ list, where: { id, ...Object.fromEntries(own) }, count: 1 }]
}

/** One more row than before, of those with the same content or name, or else the same fields. */
function createdRows(
  entry: ClientRequest,
  entries: readonly ClientRequest[],
  list: WrittenList,
  world: WorldAccess,
): ExpectedRows[] {
  const fields = storedFields(entry, list)
  const texts = ['content', 'name'].filter((field) => fields[field])
  const names = texts.length > 0 ? texts : Object.keys(fields)
  const at = entries.indexOf(entry)
  const retries = entries.filter(
    (write, index) =>
      write.record.operation === entry.record.operation &&
      write.path === entry.path &&
      names.every((field) => write.fields[field] === fields[field]) &&
      !(index < at && isSuccess(write.status)),
  )
  const created = new Set<unknown>(retries.flatMap(({ changes }) => changes.map(({ id }) => id)))
  const wanted = (row: object, more: number): ExpectedRows => {
    const values = Object.fromEntries(names.map((field) => [field, Object(row)[field]]))
    const where = { ...values, ...(list === 'annotations' && { deleted: false }) }
    const others = rowsLike({ list, where }, world).filter(({ id }) => !created.has(id))
    return { list, where, count: others.length + more }
  }
  const rows: readonly { readonly id: number; readonly deleted?: boolean }[] = world[list].list()
  const left = rows.filter(({ id, deleted }) => created.has(id) && deleted !== true)
  // The one row that it wants may be another one in the end, or be deleted.
  const isKept = created.size === 0 || left.length > 0
  const sent = wanted(fields, isKept ? 1 : 0)
  if (Object.keys(sent.where).length === 0) return []
  const like = rowsLike(sent, world)
  const changed = left.findLast(({ id }) => !like.some((row) => row.id === id))
  return changed ? [{ ...sent, count: sent.count - 1 }, wanted(changed, 1)] : [sent]
}

function storedFields({ sent, record }: ClientRequest, list: WrittenList): Record<string, Json> {
  const { fields } = entities[list] as Entity
  const stored = Object.entries(acceptedFields(list, sent, record.settings)) as [string, Json][]
  return Object.fromEntries(
    stored.filter(([name, value]) => fields[name]?.body && Object(value) !== value),
  )
}

/** What is not as expected, in sentences that differ. */
export function breachesOf(
  expectations: readonly TestExpectation[],
  { world, journal }: Simulator,
): string[] {
  // All expectations can be about the same.
  const annotations = { list: once(() => world.annotations.list()) }
  const plugins = { list: once(() => world.plugins.list()) }
  const mistakes = once(() => journal.mistakes())
  const rules = new Set<string>()
  const breaches = expectations.flatMap((expectation) => {
    if ('rows' in expectation) {
      const { rows } = expectation
      const count = rowsLike(rows, { annotations, plugins }).length
      return count === rows.count ? [] : `${describeRows(rows)} (found ${count})`
    }
    if ('received' in expectation) {
      const { passed, message } = journal.verify(expectation.received)
      return passed ? [] : message
    }
    const { no_mistake: rule } = expectation
    if (rules.has(rule)) return []
    rules.add(rule)
    const made = mistakes().filter((mistake) => mistake.rule === rule)
    return made.map(({ message, cure }) => `${message} ${cure}`)
  })
  return [...new Set(breaches)]
}

export function describeTested(expectation: TestExpectation): string {
  if ('rows' in expectation) return describeRows(expectation.rows)
  if ('received' in expectation) return `Expected ${describeExpectation(expectation.received)}`
  return `Expected no mistake ${expectation.no_mistake}`
}

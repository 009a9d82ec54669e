import { isSuccess } from '../http/messages.ts'
import type { ExpectedRows, TestExpectation } from '../scenarios/format/scenario.ts'
import { describeExpectation } from '../simulator/journal/verify.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { isObject, isSameJson, type Json } from '../utils/json.ts'
import { parseDateTime } from '../utils/python.ts'
import { formatCount } from '../utils/text.ts'
import type { WorldAccess } from '../world/edit/world-access.ts'
import { entities } from '../world/entities/entities.ts'
import type { Entity } from '../world/entities/field.ts'
import type { PlayedRequest } from './played-scenario.ts'
import type { WrittenList } from './rows-seen.ts'

/** Without a full stop, as runners show it. @example 'Expected 1 row of annotations with content "Launch" and deleted false' */
export function describeRows({ list, where, count }: ExpectedRows): string {
  const { id, deleted, ...others } = where
  if (count === 0 && deleted === false && id !== undefined && Object.keys(others).length === 0)
    return `${list.replace(/s$/, '')} ${id} was not deleted`
  const [other] = Object.entries(others)
  if (count === 0 && id !== undefined && deleted === undefined && other)
    return `${list.replace(/s$/, '')} ${id} has ${other[0]} ${JSON.stringify(other[1])} again, over what others wrote: send only what the user changed`
  const values = Object.entries(where).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return `Expected ${formatCount(count, 'row')} of ${list} with ${values.join(' and ')}`
}

/** The number of rows with these values. */
export function countRows(rows: Omit<ExpectedRows, 'count'>, world: WorldAccess): number {
  return rowsLike(rows, world).length
}

function rowsLike(
  { list, where }: Omit<ExpectedRows, 'count'>,
  world: WorldAccess,
): { readonly id: number }[] {
  const rows: readonly { readonly id: number }[] = world[list].list()
  return rows.filter((row) =>
    Object.entries(where).every(([name, value]) =>
      isSameJson((row as unknown as Record<string, unknown>)[name], value),
    ),
  )
}

/**
 * What a client wants that sent a request which failed: the row that it creates exists once, the one that it deletes is
 * gone, and the one that it changes has the values. It does not matter how the client reaches that. Null if the request
 * wants no row.
 *
 * @param entries all requests
 * @param world the rows after them
 */
export function rowsWantedBy(
  entry: PlayedRequest,
  entries: readonly PlayedRequest[],
  world: WorldAccess,
): ExpectedRows | null {
  const { list, verb } = entry
  const isWrite = verb === 'create' || verb === 'update' || verb === 'replace' || verb === 'delete'
  if (!isWrite || (list !== 'annotations' && list !== 'plugins')) return null
  const later = entries.slice(entries.indexOf(entry) + 1)
  if (verb === 'create') return createdRow(entry, entries, list, world)
  const id = Number(entry.row?.id)
  const fields = storedFields(entry, list)
  if (verb === 'delete' || fields.deleted === true) {
    const where = list === 'annotations' ? { id, deleted: false } : { id }
    return { list, where, count: 0 }
  }
  // What the client sets later is what it wants in the end.
  const own = Object.entries(fields).filter(
    ([field]) => !later.some((write) => write.path === entry.path && field in sentFields(write)),
  )
  return own.length === 0 ? null : { list, where: { id, ...Object.fromEntries(own) }, count: 1 }
}

/** One more row than there were before, of those with the same content or name, or else the same fields. */
function createdRow(
  entry: PlayedRequest,
  entries: readonly PlayedRequest[],
  list: WrittenList,
  world: WorldAccess,
): ExpectedRows | null {
  const fields = storedFields(entry, list)
  const { content, name } = fields
  const names = Object.entries({ content, name }).filter(([, value]) => value)
  const named = names.length > 0 ? names : Object.entries(fields)
  const where = {
    ...Object.fromEntries(named),
    ...(list === 'annotations' && { deleted: false }),
  } as ExpectedRows['where']
  if (Object.keys(where).length === 0) return null
  const at = entries.indexOf(entry)
  const retries = entries.filter(
    (write, index) =>
      write.record.operation === entry.record.operation &&
      named.every(([field, value]) => storedFields(write, list)[field] === value) &&
      !(index < at && isSuccess(write.status)),
  )
  const created = new Set<unknown>(retries.flatMap(({ changes }) => changes.map(({ id }) => id)))
  const others = rowsLike({ list, where }, world).filter(({ id }) => !created.has(id))
  return { list, where, count: others.length + 1 }
}

function sentFields({ sent }: PlayedRequest): Readonly<Record<string, unknown>> {
  return isObject(sent) ? sent : {}
}

/** The fields of a request that a row has, as it would have them. */
export function storedFields(entry: PlayedRequest, list: WrittenList): Record<string, Json> {
  const { stored } = entities[list] as Entity
  const sent = sentFields(entry)
  return Object.fromEntries(
    stored.flatMap(({ name, body, kind }): [string, Json][] => {
      const value = sent[name]
      if (!body || value === undefined || (typeof value === 'object' && value !== null)) return []
      if (typeof value !== 'string') return [[name, value as Json]]
      const text = kind === 'time' ? parseDateTime(value) : value.trim()
      return text === 'invalid' || text === 'overflow' ? [] : [[name, text]]
    }),
  )
}

/** What is not as expected, as a sentence. Null if nothing is */
export function breachOf(
  expectation: TestExpectation,
  { world, journal }: Simulator,
): string | null {
  if ('rows' in expectation) {
    const { rows } = expectation
    const count = countRows(rows, world)
    return count === rows.count ? null : `${describeRows(rows)} (found ${count})`
  }
  if ('received' in expectation) {
    const { passed, message } = journal.verify(expectation.received)
    return passed ? null : message
  }
  const mistakes = journal.mistakes().filter(({ rule }) => rule === expectation.no_mistake)
  return mistakes.map(({ message, cure }) => `${message} ${cure}`).join('\n') || null
}

/** @example 'Expected 1 row of annotations with content "Launch" and deleted false' */
export function describeTested(expectation: TestExpectation): string {
  if ('rows' in expectation) return describeRows(expectation.rows)
  if ('received' in expectation) return `Expected ${describeExpectation(expectation.received)}`
  return `Expected no mistake ${expectation.no_mistake}`
}

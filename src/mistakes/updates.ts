import { LatestMap } from '../utils/latest-map.ts'
import type { RowId } from '../world/tables.ts'
import { type ClientRequest, isOverlapping, WrittenRow } from './client-request.ts'
import {
  type Breach,
  type ClientRule,
  readInSource,
  seenInFramework,
  Watch,
  type WatchedRules,
} from './rule.ts'
import type { SeenRow } from './seen-request.ts'
import { isSameValue } from './stored-fields.ts'

const staleRow: ClientRule = {
  id: 'stale-row',
  title: 'The client changed a row that is deleted',
  sentence:
    'A client changed an annotation that is deleted, and the response says so. To restore it, or to delete it again, is no mistake.',
  cure: 'Remove a row from what you show and keep when its delete has succeeded, or a read of it got a 404.',
  level: 'note',
  ...readInSource,
}

export const undoneChange: ClientRule = {
  id: 'undone-change',
  title: 'The client undid a change of others',
  sentence:
    'An update overwrote what another client changed since the client read the row. It is a warning if it had read that, and sent a new value of another field; a note if a late retry undid its own update.',
  cure: 'Read the row again before you change it, and send only the fields that the user changed. The last write wins, without a warning.',
  level: 'error',
  ...readInSource,
}

const overlappingUpdates: ClientRule = {
  id: 'overlapping-updates',
  title: 'The client sent two updates of a row at once',
  sentence:
    'A client sent an update of a row with another value of a field before its last update had the response, or an upgrade of a plugin before its last upgrade. Which of them is carried out last is chance.',
  cure: 'Send the next update of a row when the last one has its response, with the latest values. Disable the button until then.',
  level: 'warning',
  ...seenInFramework,
}

const movedRow: ClientRule = {
  id: 'moved-row',
  title: 'The client moved an annotation to another project',
  sentence:
    'An update through the path of another project moved an annotation of the whole organization there, and did not delete it. The response does not say so.',
  cure: 'Change annotations of the whole organization through one project in all clients.',
  level: 'note',
  ...readInSource,
}

/** A row as a client read it last. */
interface ReadRow {
  readonly request: ClientRequest
  /** What it had read first. A form can still have these values */
  readonly before?: ReadRow | undefined
  /** The row, if the response shows others, too */
  readonly row?: SeenRow
  /** The values that the client wrote since */
  readonly written?: Readonly<Record<string, unknown>>
}

class ReadRows {
  /** By id: rows that were read alone, or written */
  readonly rows = new LatestMap<RowId, ReadRow>(100)
  /** The latest last */
  readonly pages: ClientRequest[] = []

  /** Finds how the client read a row last, alone or on a page, and how it read it first. */
  find(id: RowId): ReadRow | undefined {
    let latest = this.rows.get(id)
    const since = latest?.request.record.id ?? -1
    for (const request of this.pages) {
      if (request.record.id <= since) continue
      const row = request.page?.rows.find((shown) => shown.id === id)
      if (!row) continue
      latest = { request, before: latest?.before ?? latest, row }
      this.rows.set(id, latest)
    }
    return latest
  }

  add(id: RowId, request: ClientRequest): void {
    const latest = this.find(id)
    const before = latest && wrote(latest.before ?? latest, id, request)
    this.rows.set(id, { request, before })
  }

  /** Whether a whole list lacked a row after the client had read it. */
  lacks(id: RowId, { request: read }: ReadRow): boolean {
    return this.pages.some(
      ({ record, rows, count, terms, path }) =>
        record.id > read.record.id &&
        read.path.startsWith(path) &&
        count === rows.length &&
        terms.length === 0 &&
        rows.every((row) => row.id !== id),
    )
  }

  addPage(request: ClientRequest): void {
    this.pages.push(request)
    if (this.pages.length > maxPages) this.pages.shift()
  }
}

/** Finds updates that do more than their client can know. */
class Updates extends Watch {
  /** By client and list */
  readonly #read = new LatestMap<string, ReadRows>()
  /** By client and path, or files of a plugin. Those that are sent at once are among the latest */
  readonly #latest = new LatestMap<string, ClientRequest>(100)

  see(request: ClientRequest): void {
    const { client, verb, isUpdate } = request
    const hasFiles = request.record.operation?.endsWith('PluginSource')
    if (hasFiles || verb === 'upgrade') this.#seeFiles(request)
    // The other responses show rows as they are now.
    if (verb === undefined || verb === 'delete') return
    if (verb === 'upgrade') this.#checkOverlap(request)
    if (!isUpdate) return void this.#note(request)
    const writes = request.changes.flatMap((change) => {
      const list = this.#read.get(`${client} ${change.list}`)
      const known = list?.find(change.id)
      return list && known ? [{ change, list, known }] : []
    })
    this.#note(request)
    for (const { change, list, known } of writes) {
      const { id } = change
      if (list.rows.get(id) === known) list.rows.set(id, wrote(known, id, request))
      const { sent } = request
      const isNew =
        sent.deleted === false && Object.keys(sent).every((name) => change.valuesOf(name))
      this.#compare(request, change, known, isNew && list.lacks(id, known))
    }
    if (request.status === 200) this.#checkOverlap(request)
    this.#checkProject(request)
    if (verb === 'update' && isOfDeletedRow(request)) {
      const message = `The client changed ${request.row?.title}, which is deleted.`
      const subject = `${client} ${request.path}`
      this.report({ rule: staleRow, subject, message, requests: [request] })
    }
  }

  /** An update that was sent at once with another one undid that, and nothing of other clients. */
  override breaches(): readonly Breach[] {
    const all = super.breaches()
    const overlaps = all.filter(({ rule }) => rule === overlappingUpdates)
    const own = new Set(overlaps.flatMap(({ requests }) => requests))
    const isOwn = ({ requests }: Breach) => own.has(requests.at(-1) as ClientRequest)
    return all.filter((breach) => breach.rule === overlappingUpdates || !isOwn(breach))
  }

  /** @param isLacking whether a list lacked the row, and the client sets only new values */
  #compare(request: ClientRequest, change: WrittenRow, known: ReadRow, isLacking = false) {
    const { client, path } = request
    // Who only deletes a row, or restores it, means that, and who knew that it was gone.
    const isGone = isLacking || this.#latest.get(`${client} ${path}`)?.status === 404
    const all = Object.keys(request.sent)
    const sent = all.filter((name) => name !== 'deleted' || (all.length > 1 && !isGone))
    const overwritten = describeOverwritten(change, known, sent)
    const message = overwritten ?? describeTakenBack(change, known, request, sent)
    if (message === null) return
    const read = overwritten === null ? (known.before ?? known) : known
    const level = overwritten === null && !known.request.isUpdate && { level: 'warning' as const }
    const requests = [read.request, request]
    const subject = `${client} ${change.list} ${change.id}`
    this.report({ rule: undoneChange, subject, message, requests, ...level })
  }

  /** Each source file is a field. What a failed update wrote is not known. */
  #seeFiles(request: ClientRequest) {
    const { client, row, record } = request
    const name = `${client} files of ${row?.title}`
    const last = this.#latest.get(name)
    this.#latest.set(name, request)
    const [change] = record.changes
    if (!change || !last?.isOk || last.isUnread) return
    const filesOf = (plugin?: object) => ({ ...Object(plugin).source, id: row?.id })
    const files = { ...change, before: filesOf(change.before), after: filesOf(change.after) }
    this.#compare(request, new WrittenRow(files), { request: last })
  }

  #checkOverlap(request: ClientRequest) {
    const { client, path, row, verb } = request
    const name = `${client} ${path}`
    const last = this.#latest.get(name)
    this.#latest.set(name, request)
    if (!last || !isOverlapping(last, request)) return
    const [before, after] = [last.fields, request.fields]
    const isOther = (name: string) => name in after && !isSameValue(before[name], after[name])
    const fields = Object.keys(before).filter(isOther)
    if (fields.length === 0 && verb !== 'upgrade') return
    const values = fields.length > 0 ? `, with two values of ${fields.join(', ')}` : ''
    const what = verb === 'upgrade' ? 'upgrades' : 'updates'
    const message = `The client sent two ${what} of ${row?.title ?? 'a row'} at once${values}.`
    this.report({ rule: overlappingUpdates, message, requests: [last, request] })
  }

  #checkProject(request: ClientRequest) {
    for (const change of request.changes) {
      const project = change.valuesOf('project')
      if (change.isNew || change.isDeleted || !project) continue
      const message = `The ${request.record.method} moved annotation ${change.id} from project ${project[0]} to ${project[1]}.`
      this.report({ rule: movedRow, subject: request.client, message, requests: [request] })
    }
  }

  #note(request: ClientRequest) {
    const { client, page, list, verb, path } = request
    if (request.status === 404) this.#latest.set(`${client} ${path}`, request)
    if (!request.isOk) return
    const name = `${client} ${list}`
    // What the client read last is not known.
    if (request.isUnread) return void this.#read.delete(name)
    // A key that only writes may be one of two of its client.
    const rows = this.#read.get(name) ?? (page || verb === 'retrieve' ? new ReadRows() : null)
    const id = page ? undefined : rows && idOf(request)
    if (!rows || (!page && id === undefined)) return
    this.#read.set(name, rows)
    if (page) rows.addPage(request)
    else rows.add(id as RowId, request)
  }
}

export const updateRules: WatchedRules = {
  Watch: Updates,
  rules: [staleRow, undoneChange, overlappingUpdates, movedRow],
}

const maxPages = 20

/** The id of the row that a response shows, without reading it if the path says it. */
function idOf(request: ClientRequest): RowId | undefined {
  const { verb, row, isServed, isUpdate } = request
  if (verb === 'create') return request.created?.id
  const isNamed = verb === 'retrieve' || isUpdate
  return isNamed && isServed ? row?.id : Object(request.received).id
}

/** @param sent the names of the fields that the update has */
function describeOverwritten(
  change: WrittenRow,
  { request, row, written = {} }: ReadRow,
  sent: readonly string[],
): string | null {
  const overwritten = sent.flatMap((name) => {
    const field = change.valuesOf(name)
    if (!field) return []
    const values = name in written ? written : Object(row ?? request.received)
    if (!(name in values) || isSameValue(values[name], field[0])) return []
    const shown = [...field, values[name]].map((value) => request.show(name, value))
    const [before, after, read] = showFromDifference(shown)
    const verb = values === written ? 'sent' : 'read'
    return `${name} from ${before} to ${after}, where the client had ${verb} ${read}`
  })
  return overwritten.length === 0 ? null : `The update sets ${overwritten.join(', and ')}.`
}

/** Whether the response to an update shows that the row is deleted, and this client did not do that. */
function isOfDeletedRow(request: ClientRequest) {
  const { status, changes, isSentKept, sent } = request
  if (status !== 200 || !isSentKept || changes.some(({ isDeleted }) => isDeleted)) return false
  // A job that deletes what is old can delete a row again.
  if (sent.deleted === true && Object.keys(sent).length === 1) return false
  return Object(changes[0]?.values ?? request.received).deleted === true
}

/** What a client knows of a row that it has updated. */
function wrote(known: ReadRow, id: RowId, request: ClientRequest) {
  const values = request.changes.find((change) => change.id === id)?.values
  if (!values) return known
  const names = Object.keys(request.sent).filter((name) => name in values)
  if (names.length === 0) return known
  const own = Object.fromEntries(names.map((name) => [name, values[name]]))
  return { ...known, written: { ...known.written, ...own } }
}

/** Describes fields that a form with old values sets back, though the client may have seen the new ones. */
function describeTakenBack(
  change: WrittenRow,
  { before }: ReadRow,
  { fields }: ClientRequest,
  sent: readonly string[],
): string | null {
  if (!before) return null
  const values = { ...Object(before.row ?? before.request.received), ...before.written }
  const known = sent.filter((name) => name in fields)
  const old = known.filter((name) => isSameValue(fields[name], values[name]))
  // A client that sets one field back, or all of them, can mean it.
  return old.length < known.length ? describeOverwritten(change, before, old) : null
}

const maxShownLength = 60

/** Shows values in JSON: of long ones that begin alike, what the first two have from there on. */
function showFromDifference(values: readonly unknown[]) {
  const texts = values.map((value) => JSON.stringify(value))
  const [first = '', second = ''] = texts
  const index = first.split('').findIndex((character, at) => character !== second[at])
  const start = index < maxShownLength ? 0 : index - 20
  return texts.map((text) => {
    const end = start + maxShownLength
    return `${start > 0 ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}`
  })
}

import type { JournalChange, JournalEntry } from '../../sandbox/journal/entry.ts'
import {
  type ClientRequest,
  type ClientRule,
  documented,
  type ListRow,
  RecentMap,
  type ReportMistake,
  type RequestTrace,
  type RequestWatcher,
  type RuleGroup,
  readInSource,
  seenInFramework,
} from './rule.ts'

export const repeatedCreate: ClientRule = {
  id: 'repeated-create',
  sentence:
    'A client repeated a create whose response was lost or broke off, and did not look first whether the row exists. Or it sent the same create twice within 100 milliseconds, with nothing in between. Three or more in a row are not reported.',
  cure: 'List or search before you repeat a create, and send it once per click. The API has no idempotency keys.',
  level: 'error',
  ...readInSource,
}

const duplicateRow: ClientRule = {
  id: 'duplicate-row',
  sentence:
    'A client created a row again that it had just read, with date_marker in another form than the API writes.',
  cure: 'Compare times as points in time, not as texts. The API writes them in UTC, with six digits of fraction or none.',
  level: 'error',
  ...seenInFramework,
}

const creates: ReadonlySet<string | null> = new Set(['createAnnotation', 'createPlugin'])

/** The rows that a client read last in a list, by their content and date. */
type ReadRows = Map<string, { readonly id: number | string; readonly trace: RequestTrace }>

/** A longer body is not compared. */
const maxBodyLength = 10_000
const maxRows = 1_000

/** A create, as others are compared with it. */
interface SentCreate {
  readonly path: string
  readonly body: string
  readonly trace: RequestTrace
  /** Whether the client may not have got the response: it can give up within a body that comes slowly */
  readonly isLost: boolean
  /** The status of a complete response that denies the created row, or null */
  readonly failedWith: number | null
}

/** Creates with the same body in a row. */
interface EqualCreates extends SentCreate {
  readonly at: number
  readonly traces: readonly RequestTrace[]
}

/** Creates that are sent at once arrive within these milliseconds. */
const maxDelay = 100

/** Finds rows that a client created twice. */
class CreateWatcher implements RequestWatcher {
  /** The create that got no complete response, by client and path */
  readonly #lost = new RecentMap<SentCreate>(500)
  /** The latest create, by client, if it sent nothing since */
  readonly #latest = new RecentMap<EqualCreates>(500)
  /** What is reported of two equal creates, unless a third one follows */
  readonly #twice = new RecentMap<{ message: string; traces: readonly RequestTrace[] }>(500)
  readonly #read = new RecentMap<ReadRows>(50)

  add(request: ClientRequest, report: ReportMistake): void {
    const { entry, client, path, page } = request
    if (entry.changes.some(({ kind }) => kind !== 'created')) this.#read.clear()
    if (page) {
      this.#forgetLost(path)
      this.#rememberRows(`${client} ${path}`, request)
    }
    if (!creates.has(entry.operation)) {
      this.#latest.delete(client)
      return
    }
    const body = JSON.stringify(entry.request.body, sortFields)
    const isIncomplete = request.isLost || Object(entry.fault?.effect).cut_bytes !== undefined
    const { status } = entry.response
    const failedWith = !isIncomplete && status >= 500 && hasCreated(entry) ? status : null
    const isLost = isIncomplete || failedWith !== null
    const create = { path, body, trace: request.trace, isLost, failedWith }
    this.#findRepetition(create, request, report)
    this.#findTwice(create, request)
    this.#findDuplicate(`${client} ${path}`, request, report)
  }

  reportOpen(report: ReportMistake): void {
    for (const [key, { message, traces }] of this.#twice) {
      report(repeatedCreate, key, message, traces)
    }
  }

  /** A look counts with any key: one client can have a key to read and another one to write. */
  #forgetLost(path: string): void {
    for (const [key, lost] of this.#lost) if (isSameList(lost.path, path)) this.#lost.delete(key)
  }

  #findRepetition(
    create: SentCreate,
    { entry, client }: ClientRequest,
    report: ReportMistake,
  ): void {
    const list = `${client} ${create.path}`
    const lost = this.#lost.get(list)
    if (lost?.body === create.body) {
      const message =
        lost.failedWith === null
          ? 'The client got no complete response to the first request, and sent it again.'
          : `The client got a ${lost.failedWith} for the first request, which had created a row, and sent it again.`
      report(repeatedCreate, list, message, [lost.trace, create.trace])
    }
    if (create.isLost && !entry.request.omitted && create.body.length <= maxBodyLength)
      this.#lost.set(list, create)
    else this.#lost.delete(list)
  }

  /** Three or more equal creates in a row are no click too many, but rows for a test. */
  #findTwice(create: SentCreate, { client, at, entry }: ClientRequest): void {
    const { content, name } = Object(entry.request.body)
    if (create.isLost || !hasCreated(entry) || !(content || name)) {
      this.#latest.delete(client)
      return
    }
    const last = this.#latest.get(client)
    const isEqual =
      last?.body === create.body && last.path === create.path && at - last.at <= maxDelay
    const traces = isEqual ? [...last.traces, create.trace].slice(0, 3) : [create.trace]
    this.#latest.set(client, { ...create, at, traces })
    const key = `${client} ${create.path} ${traces[0]?.id}`
    const message =
      at === last?.at
        ? 'The client sent the same create twice, with nothing in between, and no time passed on the clock.'
        : `The client sent the same create twice within ${maxDelay} milliseconds, with nothing in between.`
    if (traces.length === 2) this.#twice.set(key, { message, traces })
    else this.#twice.delete(key)
  }

  #rememberRows(list: string, { page, trace }: ClientRequest): void {
    const rows: ReadRows = (page?.previous && this.#read.get(list)) || new Map()
    for (const row of page?.rows ?? []) {
      if (rows.size < maxRows) rows.set(contentAndDate(row), { id: row.id, trace })
    }
    this.#read.set(list, rows)
  }

  #findDuplicate(list: string, { entry, trace }: ClientRequest, report: ReportMistake): void {
    const created = entry.response.body
    if (entry.response.status !== 201 || !isRow(created) || !isRow(entry.request.body)) return
    const row = this.#read.get(list)?.get(contentAndDate(created))
    const [sent, stored] = [entry.request.body.date_marker, created.date_marker]
    if (!row || typeof sent !== 'string' || sent === stored) return
    const message = `The client sent the time ${sent}. Row ${row.id}, which it had read, has the same content and the same time: ${stored}.`
    report(duplicateRow, list, message, [row.trace, trace])
  }
}

/** Sorts the fields of objects, so that bodies with equal fields are equal. */
function sortFields(_name: string, value: unknown): unknown {
  if (!isRow(value) || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Whether two paths name the same list. `@current` can be any project or organization. */
function isSameList(one: string, other: string): boolean {
  const [parts, others] = [one.split('/'), other.split('/')]
  return (
    parts.length === others.length &&
    parts.every((part, at) => part === others[at] || [part, others[at]].includes('@current'))
  )
}

function hasCreated({ changes }: JournalEntry): boolean {
  return changes.some(({ kind }) => kind === 'created')
}

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function contentAndDate({ content, date_marker }: Readonly<Record<string, unknown>>): string {
  return `${date_marker} ${content}`.slice(0, 500)
}

export const swallowedDelete: ClientRule = {
  id: 'swallowed-delete',
  sentence:
    'DELETE of an annotation was refused. The client neither sent a PATCH with `deleted: true` nor retrieved the annotation, which was not deleted.',
  cure: 'Send PATCH with {"deleted": true}. Annotations are never deleted for good.',
  level: 'error',
  ...documented('hard deletion is not allowed; the caller is told to use PATCH'),
}

const undoneChange: ClientRule = {
  id: 'undone-change',
  sentence:
    'An update overwrote a change that another client had made since the client read the row.',
  cure: 'Read the row again before you change it, and send only the fields that the user changed. The last write wins, without a warning.',
  level: 'error',
  ...readInSource,
}

const readOperations: Readonly<Record<string, string>> = {
  listAnnotations: 'annotations',
  retrieveAnnotation: 'annotations',
  listPlugins: 'plugins',
  retrievePlugin: 'plugins',
}
const updateOperations: ReadonlySet<string | null> = new Set([
  'updateAnnotation',
  'replaceAnnotation',
  'updatePlugin',
  'replacePlugin',
])

/** How many annotations a message names. */
const maxIds = 10

/** A row as a client read it. Fields that it wrote later are missing. */
interface ReadRow {
  readonly values: Readonly<Record<string, unknown>>
  readonly trace: RequestTrace
}

/** Finds deletions that had no effect, and updates that overwrite the changes of others. */
class UpdateWatcher implements RequestWatcher {
  /** By the id of the annotation: the client and its refused request, or null for a deleted row */
  readonly #deletions = new RecentMap<{ client: string; trace: RequestTrace } | null>(2_000)
  /** By client and row */
  readonly #read = new RecentMap<ReadRow>(10_000)

  add(request: ClientRequest, report: ReportMistake): void {
    this.#watchDeletion(request)
    this.#rememberRows(request)
    if (!updateOperations.has(request.entry.operation)) return
    for (const change of request.entry.changes) this.#compareUpdate(request, change, report)
  }

  reportOpen(report: ReportMistake): void {
    const clients = new Map<string, { readonly ids: string[]; readonly traces: RequestTrace[] }>()
    for (const [id, refused] of this.#deletions) {
      if (!refused) continue
      const known = clients.get(refused.client) ?? { ids: [], traces: [] }
      clients.set(refused.client, known)
      known.ids.push(id)
      known.traces.push(refused.trace)
    }
    for (const [client, { ids, traces }] of clients) {
      const rest = ids.length > maxIds ? ` and ${ids.length - maxIds} more` : ''
      const message =
        ids.length === 1
          ? `Annotation ${ids[0]} was not deleted, and the client did not delete it with PATCH.`
          : `Annotations ${ids.slice(0, maxIds).join(', ')}${rest} were not deleted, and the client did not delete them with PATCH.`
      report(swallowedDelete, client, message, traces)
    }
  }

  #watchDeletion({ entry, client, path, trace }: ClientRequest): void {
    const { operation, response, settings, request } = entry
    for (const { list, id, kind, fields } of entry.changes) {
      const isDeleted = kind === 'removed' || fields.deleted?.[1] === true
      if (list === 'annotations' && isDeleted) this.#deletions.set(String(id), null)
      else if (list === 'annotations' && fields.deleted) this.#deletions.delete(String(id))
    }
    const id = path.slice(path.lastIndexOf('/') + 1)
    const isRefused =
      operation === 'deleteAnnotation' &&
      (response.status === 405 ||
        (response.status >= 400 && settings.some(({ id }) => id === 'annotations.delete.status')))
    if (isRefused && !entry.missing_row && this.#deletions.get(id) !== null)
      this.#deletions.set(id, { client, trace })
    // A refused PATCH, or a look at the row, shows that the client does not take it for deleted.
    const isSent = updateOperations.has(operation) && Object(request.body).deleted === true
    const isSeen = operation === 'retrieveAnnotation' && response.status === 200
    if ((isSent || isSeen) && this.#deletions.get(id)) this.#deletions.delete(id)
  }

  #rememberRows({ entry, client, isLost, page, trace }: ClientRequest): void {
    const list = readOperations[entry.operation ?? '']
    if (list === undefined || isLost || entry.response.status !== 200) return
    const rows = page?.rows ?? [entry.response.body as ListRow | null]
    for (const row of rows) {
      if (row?.id !== undefined)
        this.#read.set(`${client} ${list} ${row.id}`, { values: row, trace })
    }
  }

  #compareUpdate(
    { entry, client, trace }: ClientRequest,
    { list, id, fields }: JournalChange,
    report: ReportMistake,
  ): void {
    const key = `${client} ${list} ${id}`
    const read = this.#read.get(key)
    if (!read) return
    const sent = Object.keys(Object(entry.request.body))
    const overwritten = sent.filter((name) => {
      const change = fields[name]
      return change && name in read.values && !isSame(read.values[name], change[0])
    })
    const others = Object.entries(read.values).filter(([name]) => !sent.includes(name))
    this.#read.set(key, { values: Object.fromEntries(others), trace: read.trace })
    if (overwritten.length === 0) return
    const changes = overwritten.map((name) => {
      const [before, after] = (fields[name] ?? []).map(show)
      return `${name} from ${before} to ${after}, where the client had read ${show(read.values[name])}`
    })
    const message = `The update sets ${changes.join(', and ')}.`
    report(undoneChange, key, message, [read.trace, trace])
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

const maxShownLength = 60

function show(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
}

export const writeRules: RuleGroup = {
  rules: [swallowedDelete, repeatedCreate, duplicateRow, undoneChange],
  watch: () => [new CreateWatcher(), new UpdateWatcher()],
}

import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import type { ClientRequest, RequestTrace } from './client-request.ts'
import {
  type ClientRule,
  RecentMap,
  type ReportMistake,
  type RequestWatcher,
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

export const duplicateRow: ClientRule = {
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
export class CreateWatcher implements RequestWatcher {
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
    const isIncomplete = request.isLost || entry.fault?.phase === 'mid-body'
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

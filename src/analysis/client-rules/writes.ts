import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import {
  type Breach,
  type CheckedRule,
  type ClientRequest,
  type ClientRule,
  documented,
  type ListRow,
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

const creates: ReadonlySet<string | null> = new Set(['createAnnotation', 'createPlugin'])

/** Creates that are sent at once arrive within these milliseconds. */
const maxDelay = 100

function findRepeatedCreates(requests: readonly ClientRequest[]): Breach[] {
  return [...findLostCreates(requests), ...findDoubleCreates(requests)]
}

/** Finds creates whose response was lost, and that were sent again before a look at the list. */
function findLostCreates(requests: readonly ClientRequest[]): Breach[] {
  return requests.flatMap((lost, index): Breach[] => {
    if (!isCreate(lost) || !isUnanswered(lost) || lost.entry.request.omitted) return []
    const list = `${lost.client} ${lost.path}`
    const next = requests.slice(index + 1).find((other) => {
      return isCreate(other)
        ? `${other.client} ${other.path}` === list
        : // A look counts with any key: one client can have a key to read and another one to write.
          other.page !== null && isSameList(lost.path, other.path)
    })
    if (!next || !isCreate(next) || bodyOf(next) !== bodyOf(lost)) return []
    const message = hasError(lost)
      ? `The client got a ${lost.entry.response.status} for the first request, which had created a row, and sent it again.`
      : 'The client got no complete response to the first request, and sent it again.'
    return [{ subject: list, message, requests: [lost, next] }]
  })
}

/** Finds two equal creates in a row. Three or more are no click too many, but rows for a test. */
function findDoubleCreates(requests: readonly ClientRequest[]): Breach[] {
  const runs: ClientRequest[][] = []
  /** The latest run of each client that sent nothing else since */
  const latest = new Map<string, ClientRequest[]>()
  for (const request of requests) {
    const run = latest.get(request.client)
    const last = run?.at(-1)
    latest.delete(request.client)
    const { content, name } = Object(request.entry.request.body)
    const isComparable = isCreate(request) && !isUnanswered(request) && hasCreated(request.entry)
    if (!isComparable || !(content || name)) continue
    const isEqual =
      last?.path === request.path &&
      request.at - last.at <= maxDelay &&
      bodyOf(last) === bodyOf(request)
    const own = isEqual && run ? run : []
    own.push(request)
    latest.set(request.client, own)
    if (own !== run) runs.push(own)
  }
  return runs.flatMap((run): Breach[] => {
    const [first, second] = run
    if (run.length !== 2 || !first || !second) return []
    const message =
      first.at === second.at
        ? 'The client sent the same create twice, with nothing in between, and no time passed on the clock.'
        : `The client sent the same create twice within ${maxDelay} milliseconds, with nothing in between.`
    return [{ message, requests: run }]
  })
}

function isCreate({ entry }: ClientRequest): boolean {
  return creates.has(entry.operation)
}

/** Whether the client may not know that a row was created: it can give up within a body that comes slowly, too. */
function isUnanswered(request: ClientRequest): boolean {
  const isCut = Object(request.entry.fault?.effect).cut_bytes !== undefined
  return request.isLost || isCut || hasError(request)
}

/** Whether a complete response denies a row that was created. */
function hasError({ entry, isLost }: ClientRequest): boolean {
  return !isLost && entry.response.status >= 500 && hasCreated(entry)
}

function hasCreated({ changes }: JournalEntry): boolean {
  return changes.some(({ kind }) => kind === 'created')
}

function bodyOf({ entry }: ClientRequest): string {
  return JSON.stringify(entry.request.body, sortFields)
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

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

const duplicateRow: ClientRule = {
  id: 'duplicate-row',
  sentence:
    'A client created a row again that it had just read, with date_marker in another form than the API writes.',
  cure: 'Compare times as points in time, not as texts. The API writes them in UTC, with six digits of fraction or none.',
  level: 'error',
  ...seenInFramework,
}

/** A row that a client read, and the request that showed it. */
interface ShownRow {
  readonly id: number | string
  readonly request: ClientRequest
}

function findDuplicateRows(requests: readonly ClientRequest[]): Breach[] {
  const breaches: Breach[] = []
  /** The rows that a client read last in a list, by their content and date */
  const shown = new Map<string, Map<string, ShownRow>>()
  for (const request of requests) {
    const { entry, client, path, page } = request
    const list = `${client} ${path}`
    if (entry.changes.some(({ kind }) => kind !== 'created')) shown.clear()
    if (page) {
      const rows = (page.previous && shown.get(list)) || new Map<string, ShownRow>()
      for (const row of page.rows) rows.set(contentAndDate(row), { id: row.id, request })
      shown.set(list, rows)
    }
    const { body: created, status } = entry.response
    const { body } = entry.request
    if (!isCreate(request) || status !== 201 || !isRow(created) || !isRow(body)) continue
    const row = shown.get(list)?.get(contentAndDate(created))
    const [sent, stored] = [body.date_marker, created.date_marker]
    if (!row || typeof sent !== 'string' || sent === stored) continue
    const message = `The client sent the time ${sent}. Row ${row.id}, which it had read, has the same content and the same time: ${stored}.`
    breaches.push({ subject: list, message, requests: [row.request, request] })
  }
  return breaches
}

function contentAndDate({ content, date_marker }: Readonly<Record<string, unknown>>): string {
  return `${date_marker} ${content}`
}

export const swallowedDelete: ClientRule = {
  id: 'swallowed-delete',
  sentence:
    'DELETE of an annotation was refused. The client neither sent a PATCH with `deleted: true` nor retrieved the annotation, which was not deleted.',
  cure: 'Send PATCH with {"deleted": true}. Annotations are never deleted for good.',
  level: 'error',
  ...documented('hard deletion is not allowed; the caller is told to use PATCH'),
}

/** How many annotations a message names. */
const maxIds = 10

function findSwallowedDeletes(requests: readonly ClientRequest[]): Breach[] {
  /** By the id of the annotation: the refused request, or null for a deleted row */
  const deletions = new Map<string, ClientRequest | null>()
  for (const request of requests) {
    const { entry, path } = request
    for (const { list, id, kind, fields } of entry.changes) {
      const isDeleted = kind === 'removed' || fields.deleted?.[1] === true
      if (list === 'annotations' && isDeleted) deletions.set(String(id), null)
      else if (list === 'annotations' && fields.deleted) deletions.delete(String(id))
    }
    const id = path.slice(path.lastIndexOf('/') + 1)
    if (isRefusedDelete(entry) && deletions.get(id) !== null) deletions.set(id, request)
    if (isAwareOfRow(entry) && deletions.get(id)) deletions.delete(id)
  }
  const byClient = new Map<string, [id: string, refused: ClientRequest][]>()
  for (const [id, refused] of deletions) {
    if (refused)
      byClient.set(refused.client, [...(byClient.get(refused.client) ?? []), [id, refused]])
  }
  return [...byClient].map(([client, refused]) => ({
    subject: client,
    message: sayNotDeleted(refused.map(([id]) => id)),
    requests: refused.map(([, request]) => request),
  }))
}

function isRefusedDelete({ operation, response, settings, missing_row }: JournalEntry): boolean {
  const isBySetting = settings.some(({ id }) => id === 'annotations.delete.status')
  const isRefused = response.status === 405 || (response.status >= 400 && isBySetting)
  return operation === 'deleteAnnotation' && isRefused && !missing_row
}

/** A refused PATCH, or a look at the row, shows that the client does not take it for deleted. */
function isAwareOfRow({ operation, request, response }: JournalEntry): boolean {
  const isSent = updateOperations.has(operation) && Object(request.body).deleted === true
  return isSent || (operation === 'retrieveAnnotation' && response.status === 200)
}

function sayNotDeleted(ids: readonly string[]): string {
  if (ids.length === 1)
    return `Annotation ${ids[0]} was not deleted, and the client did not delete it with PATCH.`
  const rest = ids.length > maxIds ? ` and ${ids.length - maxIds} more` : ''
  return `Annotations ${ids.slice(0, maxIds).join(', ')}${rest} were not deleted, and the client did not delete them with PATCH.`
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

/** A row as a client read it. Fields that it wrote later are missing. */
interface ReadRow {
  readonly values: Readonly<Record<string, unknown>>
  readonly request: ClientRequest
}

function findUndoneChanges(requests: readonly ClientRequest[]): Breach[] {
  const breaches: Breach[] = []
  /** By client, list and row */
  const read = new Map<string, ReadRow>()
  for (const request of requests) {
    const { entry, client } = request
    for (const [row, values] of readRows(request)) read.set(row, { values, request })
    if (!updateOperations.has(entry.operation)) continue
    const sent = Object.keys(Object(entry.request.body))
    for (const { list, id, fields } of entry.changes) {
      const row = `${client} ${list} ${id}`
      const known = read.get(row)
      if (!known) continue
      const others = Object.entries(known.values).filter(([name]) => !sent.includes(name))
      read.set(row, { values: Object.fromEntries(others), request: known.request })
      const overwritten = sent.flatMap((name) => {
        const change = fields[name]
        const value = known.values[name]
        if (!change || !(name in known.values) || isSame(value, change[0])) return []
        const [before, after] = change.map(show)
        return `${name} from ${before} to ${after}, where the client had read ${show(value)}`
      })
      if (overwritten.length === 0) continue
      const message = `The update sets ${overwritten.join(', and ')}.`
      breaches.push({ subject: row, message, requests: [known.request, request] })
    }
  }
  return breaches
}

/** The rows that a response shows, by client, list and id. */
function readRows({ entry, client, isLost, page }: ClientRequest): [string, ListRow][] {
  const list = readOperations[entry.operation ?? '']
  if (list === undefined || isLost || entry.response.status !== 200) return []
  const rows = page?.rows ?? [entry.response.body as ListRow | null]
  return rows.flatMap((row) =>
    row?.id === undefined ? [] : [[`${client} ${list} ${row.id}`, row]],
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

const maxShownLength = 60

function show(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
}

export const writeRules: readonly CheckedRule[] = [
  { rule: swallowedDelete, find: findSwallowedDeletes },
  { rule: repeatedCreate, find: findRepeatedCreates },
  { rule: duplicateRow, find: findDuplicateRows },
  { rule: undoneChange, find: findUndoneChanges },
]

import type { JournalEntry } from '../simulator/journal/entry.ts'
import { isObject } from '../utils/json.ts'
import {
  type Breach,
  type CheckedRule,
  type ClientRequest,
  type ClientRule,
  readInSource,
  seenInFramework,
} from './rule.ts'

export const repeatedCreate: ClientRule = {
  id: 'repeated-create',
  sentence:
    'A client repeated a create whose response was lost, broke off or was a server error, and did not look first whether the row exists.',
  cure: 'List before you repeat a create, with a key that can read. The API has no idempotency keys.',
  level: 'error',
  ...readInSource,
}

const creates: ReadonlySet<string | null> = new Set(['createAnnotation', 'createPlugin'])

function findRepeatedCreates(requests: readonly ClientRequest[]): Breach[] {
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
    const got = hasError(lost) ? `a ${lost.entry.response.status}` : 'no complete response'
    const fact = hasCreated(lost.entry)
      ? 'The first one had created a row, so there are two now.'
      : 'The first one was not carried out, which the client could not know.'
    const message = `The client got ${got} for a create, and sent it again. ${fact}`
    return [{ subject: `${list} ${fact}`, message, requests: [lost, next] }]
  })
}

const duplicateRow: ClientRule = {
  id: 'duplicate-row',
  sentence:
    'A client created a row again that it had just read, or sent the same create twice within a second, with only reads in between. Three or more in a row are not reported.',
  cure: 'Look for an equal row in the list before you create one.',
  level: 'error',
  ...seenInFramework,
}

const clickCure =
  'Send a create once per click: disable the button until its response has arrived, and until the list is read again.'
const timeCure =
  'Compare times as points in time, not as texts. The API writes them in UTC, with six digits of fraction or none.'

/** Creates of a double click arrive within these milliseconds. */
const maxDelay = 1_000

function findDuplicateRows(requests: readonly ClientRequest[]): Breach[] {
  const clicks = findDoubleClicks(requests)
  const known = findKnownRows(requests).filter(
    ({ requests: [, create] }) => !clicks.some((click) => click.requests.includes(create as never)),
  )
  return [...clicks, ...known]
}

/** Finds two equal creates in a row. Three or more are no click too many, but rows for a test. */
function findDoubleClicks(requests: readonly ClientRequest[]): Breach[] {
  const runs: ClientRequest[][] = []
  /** The latest run of each client that only read since */
  const latest = new Map<string, ClientRequest[]>()
  for (const request of requests) {
    if (request.entry.method === 'GET') continue
    const run = latest.get(request.client)
    latest.delete(request.client)
    const { content, name } = Object(request.entry.request.body)
    const isComparable = isCreate(request) && !isUnanswered(request) && hasCreated(request.entry)
    if (!isComparable || !(content || name)) continue
    const own = run && isSoonAgain(run.at(-1) as ClientRequest, request) ? run : []
    own.push(request)
    latest.set(request.client, own)
    if (own !== run) runs.push(own)
  }
  return runs.flatMap((run): Breach[] => {
    const [first, second] = run
    if (run.length !== 2 || !first || !second) return []
    const when = first.at === second.at ? 'and no time passed on the clock' : 'within a second'
    const message = `The client sent the same create twice, with only reads in between, ${when}.`
    return [{ message, cure: clickCure, requests: run }]
  })
}

function isSoonAgain(last: ClientRequest, request: ClientRequest): boolean {
  const isSoon = request.at - last.at <= maxDelay
  return isSoon && last.path === request.path && bodyOf(last) === bodyOf(request)
}

/** A row that a client read, and the request that showed it. */
interface ShownRow {
  readonly id: number | string
  readonly request: ClientRequest
}

/** Finds creates of a row like one that the client read last in the list. */
function findKnownRows(requests: readonly ClientRequest[]): Breach[] {
  const breaches: Breach[] = []
  /** By client and list, and by content and date */
  const shown = new Map<string, Map<string, ShownRow>>()
  /** The rows that the requests created, by path and id */
  const own = new Set<string>()
  const addOwn = ({ path, entry }: ClientRequest): void => {
    for (const { kind, id } of entry.changes) if (kind === 'created') own.add(`${path} ${id}`)
  }
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
    const row = isObject(created) && shown.get(list)?.get(contentAndDate(created))
    const isOwn = row && own.has(`${path} ${row.id}`)
    addOwn(request)
    if (!isCreate(request) || status !== 201 || !row || !created.content || !isObject(body))
      continue
    const [sent, stored] = [body.date_marker, created.date_marker]
    const hasOtherTime = typeof sent === 'string' && sent !== stored
    // Tests create the same row again and again. Without another form of the time, only rows of others count.
    if (!hasOtherTime && isOwn) continue
    const message = hasOtherTime
      ? `The client sent the time ${sent}. Row ${row.id}, which it had read, has the same content and the same time: ${stored}.`
      : `The client created a row with the content and the time of row ${row.id}, which it had read.`
    const cure = hasOtherTime ? timeCure : duplicateRow.cure
    breaches.push({ subject: list, message, cure, requests: [row.request, request] })
  }
  return breaches
}

function contentAndDate({ content, date_marker }: Readonly<Record<string, unknown>>): string {
  return `${date_marker} ${content}`
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
  if (!isObject(value)) return value
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

export const createRules: readonly CheckedRule[] = [
  { rule: repeatedCreate, find: findRepeatedCreates },
  { rule: duplicateRow, find: findDuplicateRows },
]

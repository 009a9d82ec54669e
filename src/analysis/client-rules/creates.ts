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
    'A client repeated a create whose response was lost, and did not look first whether the row exists.',
  cure: 'List or search before you repeat a create. The API has no idempotency keys.',
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

/** Finds rows that a client created twice. */
export class CreateWatcher implements RequestWatcher {
  /** The create that got no response, by client and path */
  readonly #lost = new RecentMap<{ readonly body: string; readonly trace: RequestTrace }>(500)
  readonly #read = new RecentMap<ReadRows>(50)

  add(request: ClientRequest, report: ReportMistake): void {
    const { entry, client, path, page } = request
    if (entry.changes.some(({ kind }) => kind !== 'created')) this.#read.clear()
    if (page) {
      this.#lost.delete(`${client} ${path}`)
      this.#rememberRows(`${client} ${path}`, request)
    }
    if (!creates.has(entry.operation)) return
    this.#findRepetition(`${client} ${path}`, request, report)
    this.#findDuplicate(`${client} ${path}`, request, report)
  }

  #findRepetition(list: string, request: ClientRequest, report: ReportMistake): void {
    const { entry, trace } = request
    const body = JSON.stringify(entry.request.body)
    const lost = this.#lost.get(list)
    if (lost?.body === body) {
      const message = 'The first request got no response, and the client sent it again.'
      report(repeatedCreate, list, message, [lost.trace, trace])
    }
    const isLost = request.isLost || (entry.response.status >= 500 && hasCreated(entry))
    if (isLost && !entry.request.omitted && body.length <= maxBodyLength)
      this.#lost.set(list, { body, trace })
    else this.#lost.delete(list)
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

function hasCreated({ changes }: JournalEntry): boolean {
  return changes.some(({ kind }) => kind === 'created')
}

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function contentAndDate({ content, date_marker }: Readonly<Record<string, unknown>>): string {
  return `${date_marker} ${content}`.slice(0, 500)
}

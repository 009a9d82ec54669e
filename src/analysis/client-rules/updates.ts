import type { JournalChange } from '../../sandbox/journal/entry.ts'
import type { ClientRequest, ListRow, RequestTrace } from './client-request.ts'
import {
  type ClientRule,
  documented,
  RecentMap,
  type ReportMistake,
  type RequestWatcher,
  readInSource,
} from './rule.ts'

export const swallowedDelete: ClientRule = {
  id: 'swallowed-delete',
  sentence:
    'DELETE of an annotation was refused. The client neither sent a PATCH with `deleted: true` nor retrieved the annotation, which was not deleted.',
  cure: 'Send PATCH with {"deleted": true}. Annotations are never deleted for good.',
  level: 'error',
  ...documented('hard deletion is not allowed; the caller is told to use PATCH'),
}

export const undoneChange: ClientRule = {
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
export class UpdateWatcher implements RequestWatcher {
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
    const { operation, response, policies, request } = entry
    for (const { list, id, kind, fields } of entry.changes) {
      const isDeleted = kind === 'removed' || fields.deleted?.[1] === true
      if (list === 'annotations' && isDeleted) this.#deletions.set(String(id), null)
      else if (list === 'annotations' && fields.deleted) this.#deletions.delete(String(id))
    }
    const id = path.slice(path.lastIndexOf('/') + 1)
    const isRefused =
      operation === 'deleteAnnotation' &&
      (response.status === 405 ||
        (response.status >= 400 && policies.some(({ id }) => id === 'annotations.delete.status')))
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

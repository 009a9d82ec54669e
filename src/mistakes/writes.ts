import type { JournalChange, JournalEntry } from '../simulator/journal/entry.ts'
import {
  type Breach,
  type CheckedRule,
  type ClientRequest,
  type ClientRule,
  documented,
  type ListRow,
  readInSource,
} from './rule.ts'

export const swallowedDelete: ClientRule = {
  id: 'swallowed-delete',
  sentence:
    'DELETE of an annotation was refused. The client neither sent a PATCH with `deleted: true` nor retrieved the annotation by its id. It was not deleted.',
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
  const isSent = updateOperations.test(operation ?? '') && Object(request.body).deleted === true
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

/** The operations whose responses show rows as they are now. */
const readOperations =
  /^(?:list|retrieve|update|replace|check|upgrade)(?:Annotations?|Plugins?|PluginForUpdates|PluginSource)$/
const updateOperations = /^(?:update|replace)(?:Annotation|Plugin)$/

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
    const isUpdate = updateOperations.test(entry.operation ?? '')
    const sent = isUpdate ? Object.keys(Object(entry.request.body)) : []
    const rowOf = ({ list, id }: JournalChange) => `${client} ${list} ${id}`
    const readBefore = new Map(entry.changes.map((change) => [change, read.get(rowOf(change))]))
    for (const [row, values] of readRows(request)) {
      read.set(row, { values: without(values, sent), request })
    }
    if (!isUpdate) continue
    for (const [change, known] of readBefore) {
      if (!known) continue
      const { fields } = change
      const row = rowOf(change)
      if (read.get(row) === known) read.set(row, { ...known, values: without(known.values, sent) })
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

function without(values: ReadRow['values'], names: readonly string[]): ReadRow['values'] {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
}

/** The rows that a response shows, by client, list and id. */
function readRows({ entry, client, isLost, page }: ClientRequest): [string, ListRow][] {
  const { operation } = entry
  if (!operation || !readOperations.test(operation)) return []
  if (isLost || entry.response.status !== 200) return []
  const list = operation.includes('Plugin') ? 'plugins' : 'annotations'
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
  { rule: undoneChange, find: findUndoneChanges },
]

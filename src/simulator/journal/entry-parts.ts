import { endpoints } from '../../api/endpoints.ts'
import { type EndpointSuggestion, suggestEndpoints } from '../../http/unknown-path.ts'
import { apiPath, queryString } from '../../http/url.ts'
import { describeValue } from '../../settings/setting.ts'
import { decodePart } from '../../utils/escape.ts'
import type { KeyRedactor } from '../../utils/redaction/mask.ts'
import { type Clock, formatIsoTime } from '../../world/clock/clock.ts'
import type { Json } from '../../world/rows.ts'
import type { JournalEntry } from './entry.ts'
import { explainResponse, toLine } from './explain-response.ts'
import { type JournalRecord, usedSettings } from './journal.ts'
import type { KeyLabels, KeySource } from './key-labels.ts'
import { maskMessage, requestOf, responseOf } from './messages.ts'
import { maskChange } from './row-changes.ts'

/** The parts of a state that entries are written from. */
export interface EntrySource extends KeySource {
  readonly restoreCount: number
  readonly clock: Clock
  /** What the requests belong to, such as a test */
  readonly name?: string | null | undefined
}

/** What a part of an entry is written from. */
interface Written {
  readonly record: JournalRecord
  readonly source: EntrySource
  readonly keys: KeyLabels
}

/** Undefined for a part that an entry does not have. */
type OptionalPart =
  | 'query_text'
  | 'test'
  | 'resets'
  | 'missing_row'
  | 'preceding_row'
  | 'overlaps'
  | 'nearest'

/** An entry whose parts are written when they are asked for. One that was read from a file is one, too. */
export type EntryParts = Readonly<Omit<JournalEntry, OptionalPart>> & {
  readonly [Name in OptionalPart]?: JournalEntry[Name] | undefined
}

/** The header in which a client names the test that it runs in. */
const testHeader = 'understudy-test'

/** How each part of an entry is written, in the order of its schema. */
const partWriters: { readonly [Name in keyof EntryParts]-?: (from: Written) => EntryParts[Name] } =
  {
    id: ({ record }) => record.id,
    at: ({ record }) => formatIsoTime(record.at),
    ms: ({ record }) => Math.round(record.ms * 1_000) / 1_000,
    operation: ({ record }) => record.operation,
    method: ({ record }) => record.method,
    path: ({ record, keys }) => maskPath(record.target, keys.redactor),
    query: (from) => Object.fromEntries(new URLSearchParams(maskQuery(from))),
    query_text(from) {
      const query = maskQuery(from)
      const names = [...new URLSearchParams(query).keys()]
      return new Set(names).size < names.length ? query : undefined
    },
    key: ({ record, keys }) => keys.keyOf(record),
    request: ({ record, keys }) => maskMessage(requestOf(record), keys.redactor),
    response({ record, keys }) {
      const { status } = record.response
      return { status, ...maskMessage(responseOf(record), keys.redactor) }
    },
    reason: ({ record, keys }) => explainResponse(record, keys.redactor),
    ignored: ({ record, keys }) => record.ignored.map((text) => toLine(text, keys.redactor)),
    settings: ({ record }) =>
      usedSettings(record).map((id) => {
        const value = record.settings[id]
        const { evidence, source } = describeValue(id, value)
        return { id, value, evidence, source }
      }),
    fault({ record: { fault }, keys }) {
      if (!fault) return null
      const { id, phase, effect } = fault
      return { id, effect: keys.redactor.json(effect) as Json, phase }
    },
    changes: ({ record, keys }) =>
      record.changes.map((change) => maskChange(change, keys.redactor)),
    test({ record, source, keys }) {
      const sent = record.requestHeaders.get(testHeader)
      // Headers are ASCII, so that other letters of a name are sent percent-encoded.
      const name = sent === null ? (source.name ?? null) : decodePart(sent)
      return name === null ? undefined : keys.redactor.text(name)
    },
    resets: ({ record }) => record.restoreCount || undefined,
    missing_row: ({ record }) => record.failure?.details.isRowMissing || undefined,
    preceding_row: ({ record }) => record.response.page?.before,
    overlaps({ record, source }) {
      const overlaps = source.journal.overlapping(record).map(({ id }) => id)
      return overlaps.length > 0 ? overlaps : undefined
    },
    nearest({ record, keys }) {
      const { operation, response } = record
      const isUnknown = response.status === 405 || 'understudy-nearest' in response.headers
      return operation === null && isUnknown ? nearestTo(record, keys.redactor) : undefined
    },
  }

/** Has a getter for each part. */
class WrittenParts implements Written {
  readonly record: JournalRecord
  readonly source: EntrySource
  readonly keys: KeyLabels

  constructor(record: JournalRecord, source: EntrySource, keys: KeyLabels) {
    this.record = record
    this.source = source
    this.keys = keys
  }
}
for (const [name, write] of Object.entries(partWriters)) {
  Object.defineProperty(WrittenParts.prototype, name, {
    get(this: WrittenParts) {
      return write(this)
    },
  })
}

/** The parts of the entry of a record, with masked keys. */
export function partsOf(record: JournalRecord, source: EntrySource, keys: KeyLabels): EntryParts {
  return new WrittenParts(record, source, keys) as unknown as EntryParts
}

/** Writes all parts that an entry has, in order. */
export function writeParts(parts: EntryParts): JournalEntry {
  const names = Object.keys(partWriters) as (keyof EntryParts)[]
  const written = names.map((name) => [name, parts[name]] as const)
  return Object.fromEntries(written.filter(([, part]) => part !== undefined)) as JournalEntry
}

/** The path of a request, with masked keys. */
export function maskPath(target: string, redactor: KeyRedactor): string {
  return redactor.path(target.split('?')[0] as string)
}

function maskQuery({ record: { target }, keys }: Written): string {
  const query = queryString(target)
  return query && keys.redactor.form(query)
}

/** Suggests endpoints for a request without an operation. */
export function nearestTo(
  { method, target, settings }: JournalRecord,
  redactor: KeyRedactor,
): EndpointSuggestion[] {
  return suggestEndpoints(method, apiPath(maskPath(target, redactor)), endpoints, settings)
}

import { endpoints } from '../../api/endpoints.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type EndpointSuggestion, suggestEndpoints } from '../../http/unknown-path.ts'
import { apiPath, queryString } from '../../http/url.ts'
import { describeValue, type SettingValues } from '../../settings/setting.ts'
import { decodePart } from '../../utils/escape.ts'
import type { KeyRedactor } from '../../utils/redaction/mask.ts'
import { type Clock, formatIsoTime } from '../../world/clock/clock.ts'
import type { ShownPage } from '../../world/response-texts.ts'
import type { Json } from '../../world/rows.ts'
import type { JournalEntry } from './entry.ts'
import { explainResponse, toLine } from './explain-response.ts'
import { type JournalRecord, usedSettings } from './journal.ts'
import { KeyLabels, type KeySource } from './key-labels.ts'
import {
  findSentKey,
  maskBody,
  maskMessage,
  omitMessage,
  requestOf,
  responseOf,
} from './messages.ts'
import { maskChange } from './row-changes.ts'

/** The parts of a state that entries are written from. */
interface EntrySource extends KeySource {
  readonly restoreCount: number
  readonly clock: Clock
  /** What the requests belong to, such as a test */
  readonly name?: string | null | undefined
}

/** The short form of a journal entry, for a line of a log. Keys are masked. */
export interface RequestSummary
  extends Pick<JournalEntry, 'id' | 'method' | 'ms' | 'operation' | 'reason' | 'ignored'> {
  /** The path and the query */
  readonly target: string
  /** 0 if the connection broke */
  readonly status: number
  /** The label of the key, its masked value if it has no label, or null for a request without a key */
  readonly key: string | null
  /** The settings that the response depends on */
  readonly settings: Partial<SettingValues>
  /** The id of the fault rule that was applied, or null */
  readonly fault: string | null
  /** The endpoints closest to the request, or null for a known operation */
  readonly nearest: string | null
  /** What the request belongs to, such as a test, if it is known */
  readonly test?: string
}

/** An entry for the rules about clients: the page that a response shows takes the place of its body. */
export interface ObservedEntry {
  readonly entry: JournalEntry
  readonly page?: ObservedPage
  /** The key, or what is in its place, in full: to tell clients apart, and never to be shown */
  readonly sender?: string
  /** Whether no time passes between requests */
  readonly isFrozen?: boolean
  /** Whether the response says nothing about the rows of the world, as that of a recording */
  readonly isReplaced?: boolean
}

interface ObservedPage extends ShownPage {
  /** A row with masked secrets */
  show(row: object): object
}

/** The header in which a client names the test that it runs in. */
const testHeader = 'understudy-test'

/** Writes entries, with the keys and labels of one moment. */
export class EntryWriter {
  readonly #source: EntrySource
  readonly #stamp: object
  readonly keys: KeyLabels
  readonly redactor: KeyRedactor

  constructor(source: EntrySource) {
    this.#source = source
    this.#stamp = source.tables.keys.stamp
    this.keys = new KeyLabels(source)
    this.redactor = this.keys.redactor
  }

  /** Whether the keys and their labels are still the same. */
  get isCurrent(): boolean {
    return this.#source.tables.keys.stamp === this.#stamp
  }

  /** @param hasBodies whether it has headers and bodies */
  entry(record: JournalRecord, hasBodies = true): JournalEntry {
    const { id, at, ms, method, operation, fault, changes, response, settings } = record
    const { redactor } = this
    const show = hasBodies ? maskMessage : omitMessage
    const query = this.#query(record)
    const parameters = [...new URLSearchParams(query)]
    const lastValues = Object.fromEntries(parameters)
    const isRepeated = Object.keys(lastValues).length < parameters.length
    return {
      id,
      at: formatIsoTime(at),
      ms: roundTime(ms),
      operation,
      method,
      path: this.path(record),
      query: lastValues,
      ...(isRepeated && { query_text: query }),
      key: this.keys.keyOf(record),
      request: show(requestOf(record), redactor),
      response: { status: response.status, ...show(responseOf(record), redactor) },
      reason: this.reason(record),
      ignored: this.ignored(record),
      settings: usedSettings(record).map((name) => {
        const { evidence, source } = describeValue(name, settings[name])
        return { id: name, value: settings[name], evidence, source }
      }),
      fault: fault && {
        id: fault.id,
        effect: redactor.json(fault.effect) as Json,
        phase: fault.phase,
      },
      changes: changes.map((change) => maskChange(change, redactor)),
      ...this.#surroundings(record),
    }
  }

  observe(record: JournalRecord): ObservedEntry {
    const { requestHeaders, response, isReplaced } = record
    const facts = {
      sender: requestHeaders.get('authorization') ?? findSentKey(record)?.value ?? '',
      isFrozen: this.#source.clock.mode === 'frozen',
      isReplaced,
    }
    const { page } = response
    if (!page) return { entry: this.entry(record), ...facts }
    const show = (row: object) => this.redactor.json(row) as object
    return { entry: this.entry(record, false), page: { ...page, show }, ...facts }
  }

  summary(record: JournalRecord): RequestSummary {
    const { id, method, operation, target, ms, fault, response, settings } = record
    const key = this.keys.keyOf(record)
    const test = this.#test(record)
    return {
      id,
      method,
      target: this.redactor.url(target),
      status: response.status,
      ms: roundTime(ms),
      key: key && (key.label ?? key.value),
      operation,
      settings: Object.fromEntries(usedSettings(record).map((name) => [name, settings[name]])),
      reason: this.reason(record),
      ignored: this.ignored(record),
      fault: fault?.id ?? null,
      nearest: response.headers['understudy-nearest'] ?? null,
      ...(test !== null && { test }),
    }
  }

  /** A record as a request and its response, with masked keys. */
  exchange(record: JournalRecord): Exchange {
    const { at, ms, method, url, response } = record
    const { redactor } = this
    const [request, answer] = [requestOf(record), responseOf(record)]
    const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(url) ?? []
    const key = this.keys.keyOf(record)
    return {
      at: formatIsoTime(at),
      ms: roundTime(ms),
      method,
      // An unknown key has no label, so the field is omitted.
      ...(key?.label !== null && { key: key?.label ?? null }),
      url: redactor.text(origin) + redactor.url(url.slice(origin.length)),
      request: {
        headers: Object.entries(redactor.headers(request.headers)),
        body: maskBody(request, redactor),
      },
      response: {
        status: response.status,
        headers: Object.entries(redactor.headers(answer.headers)),
        body: method === 'HEAD' ? null : maskBody(answer, redactor),
      },
    }
  }

  /** The comment of an entry in an HTTP archive: its id, operation, fault, reason and ignored input. */
  comment(record: JournalRecord): string {
    const { id, fault, operation } = record
    const faultText = fault ? `, ${fault.id} (${fault.phase})` : ''
    return [
      `entry ${id}: ${operation ?? 'no operation'}${faultText}`,
      ...[this.reason(record) ?? []].flat(),
      ...this.ignored(record).map((text) => `ignored: ${text}`),
    ].join('; ')
  }

  /** Explains a response in a sentence. Returns null for an unremarkable success. */
  reason(record: JournalRecord): string | null {
    return explainResponse(record, this.redactor)
  }

  /** The fields and parameters that the operation ignored. */
  ignored({ ignored }: JournalRecord): string[] {
    return ignored.map((text) => toLine(text, this.redactor))
  }

  /** The path of a request, with masked keys. */
  path({ target }: Pick<JournalRecord, 'target'>): string {
    return this.redactor.path(target.split('?')[0] as string)
  }

  /** Suggests endpoints for a request without an operation. */
  nearest(record: JournalRecord): EndpointSuggestion[] {
    const { method, settings } = record
    return suggestEndpoints(method, apiPath(this.path(record)), endpoints, settings)
  }

  #query({ target }: JournalRecord): string {
    const query = queryString(target)
    return query && this.redactor.form(query)
  }

  /** Headers are ASCII, so that other letters of a name are sent percent-encoded. */
  #test({ requestHeaders }: JournalRecord): string | null {
    const sent = requestHeaders.get(testHeader)
    const name = sent === null ? (this.#source.name ?? null) : decodePart(sent)
    return name === null ? null : this.redactor.text(name)
  }

  /** What surrounds a request, and no response shows. The rules for clients need it. */
  #surroundings(
    record: JournalRecord,
  ): Pick<
    JournalEntry,
    'test' | 'resets' | 'missing_row' | 'preceding_row' | 'overlaps' | 'nearest'
  > {
    const { response, restoreCount: resets, operation } = record
    const test = this.#test(record)
    const overlaps = this.#source.journal.overlapping(record).map(({ id }) => id)
    const isUnknown = response.status === 405 || 'understudy-nearest' in response.headers
    return {
      ...(test !== null && { test }),
      ...(resets > 0 && { resets }),
      ...(record.failure?.details.isRowMissing && { missing_row: true }),
      ...(response.page?.before !== undefined && { preceding_row: response.page.before }),
      ...(overlaps.length > 0 && { overlaps }),
      ...(operation === null && isUnknown && { nearest: this.nearest(record) }),
    }
  }
}

function roundTime(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000
}

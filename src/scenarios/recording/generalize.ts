import { isObject, mapValues } from '../../utils/json.ts'
import { parseQuery } from '../../utils/query.ts'
import {
  type ChangeStep,
  type ExpectedResponse,
  isRequestStep,
  type RequestStep,
  type Step,
} from '../format/scenario.ts'
import { escapeBraces, isTime, toSpecialValue, usualTime } from '../format/values.ts'

/** A step with the values of the recording. */
export interface RawStep {
  readonly step: Step
  /** The path and query of a request, below the base URL */
  readonly target: string
  /** That of the request, or of the next one after a change */
  readonly baseUrl: string
  /** When the request was sent, in ISO 8601. Empty for a change */
  readonly at: string
}

/** A time that a request sends is the current one if it is at most this far from when it was sent, in milliseconds. */
const nowTolerance = 60_000

/**
 * Makes steps that a replay can repeat. A replay starts in the world of the recording, so it issues the same ids. Only
 * the id of a created row that occurs again gets a name, for people to read and for other worlds. Times that no request
 * sent become matchers, those that were the current time when they were sent are marked, and links begin with the base URL of
 * the replay.
 */
export function generalizeSteps(steps: readonly RawStep[]): Step[] {
  const created = new CreatedRows(steps)
  const sent = new Set<string>()
  return steps.map(({ step, target, baseUrl, at }, index) => {
    const nameOf = (row: string): string | null => created.nameAt(row, index)
    const links = { baseUrl, nameOf }
    if ('fault' in step) return mapTexts(step, links)
    if (!isRequestStep(step)) return mapEditedRows(step, nameOf)
    const isNow = (value: unknown): value is string =>
      isTime(value) && Math.abs(Date.parse(value) - Date.parse(at)) <= nowTolerance
    const body = markNow(step.body, isNow)
    for (const value of sentTexts({ ...step, body })) sent.add(value)
    const row = created.by(index)
    const { expect } = step
    const context = { ...links, lists: listsOf(target), isCreate: row !== undefined, sent }
    return {
      ...step,
      path: mapRows(step.path, nameOf),
      ...(body !== undefined && { body }),
      ...(expect && { expect: generalizeResponse(expect, context) }),
      ...(row?.name && { save: { [row.name]: '/id' } }),
    }
  })
}

interface CreatedRow {
  /** The step that created it */
  readonly step: number
  /** The name of its id, if a later step has that */
  name: string | null
}

/** The rows that the requests of a recording created. A row is named by its list and its id, such as `annotations/9`. */
class CreatedRows {
  readonly #rows = new Map<string, CreatedRow>()
  readonly #byStep = new Map<number, CreatedRow>()

  constructor(steps: readonly RawStep[]) {
    const names = new Names()
    for (const [index, { step, target }] of steps.entries()) {
      const note = (name: string): null => {
        const row = this.#rows.get(name)
        if (row) row.name ??= names.freeFor(name)
        return null
      }
      if (!isRequestStep(step)) {
        mapEditedRows(step, note)
        continue
      }
      const { status, exact_body: body } = step.expect ?? {}
      const lists = listsOf(target)
      mapRows(target, note)
      for (const id of idsIn(body)) for (const list of lists) note(`${list}/${id}`)
      if (step.method !== 'POST' || status !== 201 || !isObject(body)) continue
      if (typeof body.id !== 'number') continue
      const row: CreatedRow = { step: index, name: null }
      this.#rows.set(`${lists[0]}/${body.id}`, row)
      this.#byStep.set(index, row)
    }
  }

  by(step: number): CreatedRow | undefined {
    return this.#byStep.get(step)
  }

  /** The name of the id of a row. Null if no earlier step created it */
  nameAt(name: string, step: number): string | null {
    const row = this.#rows.get(name)
    return row && row.step < step ? row.name : null
  }
}

/** The names of ids: `annotation_id`, `annotation_id_2`. */
class Names {
  readonly #counts = new Map<string, number>()

  freeFor(row: string): string {
    const name = `${row.split('/')[0]?.replace(/s$/, '').replace(/\W/g, '_')}_id`
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    return count === 1 ? name : `${name}_${count}`
  }
}

/** A change with the names of created rows that it updates or deletes. */
function mapEditedRows(step: ChangeStep, nameOf: (row: string) => string | null): ChangeStep {
  const mapLists = (lists: object, mapRow: (row: unknown, toId: IdMapper) => unknown): object => {
    const mapped = Object.entries(lists).map(([list, rows]: [string, readonly unknown[]]) => {
      const toId: IdMapper = (id) => {
        const name = nameOf(`${list}/${id}`)
        return name === null ? id : { $saved: name }
      }
      return [list, rows.map((row) => mapRow(row, toId))]
    })
    return Object.fromEntries(mapped)
  }
  if ('delete' in step) return { ...step, delete: mapLists(step.delete, (id, toId) => toId(id)) }
  if (!('update' in step)) return step
  const update = mapLists(step.update, (row, toId) => ({
    ...Object(row),
    id: toId(Object(row).id),
  }))
  return { ...step, update }
}

type IdMapper = (id: unknown) => unknown

/** Marks the current time in a value that is sent. */
function markNow(value: unknown, isNow: (value: unknown) => boolean): unknown {
  if (isNow(value)) return { $now: value }
  if (typeof value !== 'object' || value === null || toSpecialValue(value)) return value
  return mapValues(value, (inner) => markNow(inner, isNow))
}

/** The words of a path that can be the list of its rows, the last one first. */
function listsOf(target: string): string[] {
  const [path = ''] = target.split('?')
  return path
    .split('/')
    .filter((word) => /^[a-z]\w*$/i.test(word))
    .reverse()
}

/** The ids of the rows of a response: of a row, or the rows of a list or a page. The path of an action has that of its row. */
function idsIn(body: unknown): number[] {
  const { results = body } = isObject(body) ? body : {}
  const ids = [results].flat().map((row) => (isObject(row) ? row.id : null))
  return ids.filter((id) => typeof id === 'number')
}

/** Replaces the ids of rows in a path by their names. */
function mapRows(target: string, nameOf: (row: string) => string | null): string {
  const [path = '', ...query] = target.split('?')
  const segments = path.split('/')
  const named = segments.map((segment, at) => {
    const name = nameOf(`${segments[at - 1]}/${segment}`)
    return name === null ? segment : `{${name}}`
  })
  return [named.join('/'), ...query].join('?')
}

/**
 * The times that a request sends, but for the current one, and the texts of its body with a link: a service returns both as
 * they were sent.
 */
function sentTexts({ path, body, text }: RequestStep): string[] {
  const query = parseQuery(path.split('?').slice(1).join('?'))
  const form = typeof text === 'string' ? [...parseQuery(text).values()] : []
  const texts: string[] = []
  const collect = (value: unknown): void => {
    const special = toSpecialValue(value)
    if (special?.keyword === '$now') return
    if (typeof value === 'string') texts.push(usualTime(value))
    else if (special) collect(special.value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  collect([[...query.values()].filter(isTime), body, form])
  return texts.filter((value) => value.includes(':'))
}

/** How the links in a response are written. */
interface LinkContext {
  readonly baseUrl: string
  readonly nameOf: (row: string) => string | null
}

interface ResponseContext extends LinkContext {
  /** What its rows can be rows of */
  readonly lists: readonly string[]
  /** Whether the request created the row */
  readonly isCreate: boolean
  /** What requests sent up to now */
  readonly sent: ReadonlySet<string>
}

function generalizeResponse(expect: ExpectedResponse, context: ResponseContext): ExpectedResponse {
  const { headers } = expect
  return {
    ...expect,
    ...(headers && { headers: mapTexts(headers, context) }),
    ...('exact_body' in expect && { exact_body: generalizeBody(expect.exact_body, context, true) }),
  }
}

/** @param isRow whether the value is a row, or a list of rows */
function generalizeBody(value: unknown, context: ResponseContext, isRow: boolean): unknown {
  if (typeof value === 'string') return generalizeText(value, context)
  if (typeof value !== 'object' || value === null) return value
  if (toSpecialValue(value)?.keyword === '$literal') return value
  if (Array.isArray(value)) return value.map((item) => generalizeBody(item, context, isRow))
  return mapValues(value, (inner, name) => {
    if (name === 'id' && isRow) return generalizeId(inner, context)
    return generalizeBody(inner, context, name === 'results' || name === 'plugin')
  })
}

function generalizeId(id: unknown, { lists, nameOf, isCreate }: ResponseContext): unknown {
  if (typeof id !== 'number') return id
  if (isCreate) return { $match: 'id' }
  const name = lists.map((list) => nameOf(`${list}/${id}`)).find((name) => name !== null)
  return name === undefined ? id : { $saved: name }
}

function generalizeText(text: string, { sent, ...context }: ResponseContext): unknown {
  if (isTime(text)) return sent.has(usualTime(text)) ? text : { $match: 'time' }
  return sent.has(text) ? text : toLinks(text, context)
}

/** Replaces the base URL of the links in all texts of a value. */
function mapTexts<T>(value: T, context: LinkContext): T {
  if (typeof value === 'string') return toLinks(value, context) as T
  if (typeof value !== 'object' || value === null) return value
  return mapValues(value, (inner) => mapTexts(inner, context)) as T
}

/** Replaces the base URL of the links in a text, and the ids in their paths. */
function toLinks(text: string, { baseUrl, nameOf }: LinkContext): string | { $text: string } {
  const [before = '', ...targets] = baseUrl === '' ? [text] : text.split(`${baseUrl}/`)
  if (targets.length === 0) return text
  const links = targets.map((target) => `{base_url}${mapRows(`/${escapeBraces(target)}`, nameOf)}`)
  return { $text: escapeBraces(before) + links.join('') }
}

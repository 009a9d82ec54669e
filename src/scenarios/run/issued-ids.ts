import { isObject, mapValues } from '../../utils/json.ts'
import { isRequestStep, type RequestStep, type Step } from '../format/scenario.ts'
import { type SavedValues, toSpecialValue } from '../format/values.ts'

/** The ids that a run issued, by the list and the recorded id, such as `annotations/12`. */
type IssuedIds = ReadonlyMap<string, unknown>

/** No step can use this name. */
const savedAs = 'issued ids'

/** Saves that the row of a recorded create got another id than in the recording. @param own gets it */
export function saveIssuedId(
  { method, path, expect }: RequestStep,
  body: unknown,
  saved: SavedValues,
  own: Map<string, unknown>,
): void {
  const [{ id: recorded }, { id }] = [Object(expect?.exact_body), Object(body)]
  if (method !== 'POST' || expect?.status !== 201 || id === recorded) return
  if (typeof id !== 'number' || typeof recorded !== 'number') return
  const earlier = (saved.get(savedAs) ?? []) as IssuedIds
  own.set(savedAs, new Map([...earlier, [`${listsIn(path)[0]}/${recorded}`, id]]))
}

/**
 * A recorded step that means the rows of this run. A service issues other ids to the rows that recorded requests create, and so
 * does a world that lacks rows of which the recording shows nothing.
 */
export function withIssuedIds(step: Step, saved: SavedValues): Step {
  const ids = saved.get(savedAs) as IssuedIds | undefined
  if (!ids) return step
  const toIssued = (id: unknown, ...lists: readonly string[]): unknown =>
    lists.map((list) => ids.get(`${list}/${id}`)).find((issued) => issued !== undefined) ?? id
  const inPath = (text: string): string =>
    text.replace(/(\w+)\/(\d+)(?=[/?]|$)/g, (_, list, id) => `${list}/${toIssued(id, list)}`)
  if (!isRequestStep(step)) {
    const inRow = (row: unknown, list: string): unknown =>
      isObject(row) ? { ...row, id: toIssued(row.id, list) } : toIssued(row, list)
    const inLists = <Lists extends object>(lists: Lists): Lists =>
      mapValues(lists, (rows, list) => mapValues(rows as object, (row) => inRow(row, list)))
    if ('delete' in step) return { ...step, delete: inLists(step.delete) }
    return 'update' in step ? { ...step, update: inLists(step.update) } : step
  }
  const lists = listsIn(step.path)
  const inBody = (value: unknown, name?: string): unknown => {
    const special = toSpecialValue(value)
    if (special?.keyword === '$saved') return { $saved: inPath(String(special.value)) }
    if (name === 'id') return toIssued(value, ...lists)
    const hasRows = name === undefined || name === 'results' || name === 'plugin'
    if (special || !hasRows || typeof value !== 'object' || value === null) return value
    return mapValues(value, Array.isArray(value) ? (row) => inBody(row) : inBody)
  }
  const { path, expect } = step
  const expected = expect && 'exact_body' in expect && { exact_body: inBody(expect.exact_body) }
  return { ...step, path: inPath(path), ...(expected && { expect: { ...expect, ...expected } }) }
}

/** The words of a path that can be the list of its rows, the last one first. */
function listsIn(path: string): string[] {
  const words = path.split('?', 1)[0]?.split('/') ?? []
  return words.filter((word) => /^[a-z]\w*$/i.test(word)).reverse()
}

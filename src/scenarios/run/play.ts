import { isSafeMethod } from '../../http/messages.ts'
import type { JournalRecord } from '../../simulator/journal/journal.ts'
import type { DiffOptions } from '../../utils/diff.ts'
import { formatPath, isUsageError } from '../../utils/errors.ts'
import { isObject, mapValues, readJsonBody } from '../../utils/json.ts'
import { UnreachableError } from '../../utils/network.ts'
import { writeQuery } from '../../utils/query.ts'
import { turnAfter } from '../../utils/wait.ts'
import type { AddedIds } from '../../world/edit/edit-rows.ts'
import { findReferences } from '../format/check-scenario.ts'
import {
  type Change,
  type ChangeStep,
  changeKindOf,
  type ExpectedResponse,
  isRequestStep,
  type RequestStep,
  type Scenario,
  type Step,
} from '../format/scenario.ts'
import {
  fillForSending,
  fillText,
  fillValue,
  SavedMap,
  type SavedValues,
  toSpecialValue,
} from '../format/values.ts'
import { writableValue } from '../recording/to-step.ts'
import { compareResponse } from './differences.ts'
import type { StepDifference, StepResult } from './result.ts'
import { type ReceivedResponse, type Sender, type SentRequest, sendAfterWaits } from './sender.ts'

export interface PlayedStep {
  readonly index: number
  readonly step: Step
  readonly result: PlayedResult
  /** The ids of the rows that a change added */
  readonly added: AddedIds
  /** The values that earlier steps had saved */
  readonly saved: SavedMap
  /** Those that the next step can use */
  readonly savedNow: SavedMap
  /** The request, as a simulator in this process recorded it. Null for a change, and for a path that is none of the API */
  readonly record: JournalRecord | null
}

type PlayedResult = Pick<StepResult, 'request' | 'response' | 'differences' | 'outcome'>

/**
 * Plays the steps of a scenario one after another: the next one when the caller asks for it.
 *
 * @param signal ends the play. The response to a write is waited for, because it says whether the write was carried out
 * @throws UnreachableError if no server responds, and the reason of the signal
 */
export async function* play(
  { steps }: Pick<Scenario, 'steps'>,
  sender: Sender,
  signal?: AbortSignal,
): AsyncGenerator<PlayedStep> {
  let saved: PlayedStep['saved'] | undefined
  for (const [index, step] of steps.entries()) {
    const played = await playStep(step, sender, { index, saved, signal })
    await turnAfter(index + 1)
    signal?.throwIfAborted()
    yield played
    saved = played.savedNow
  }
}

interface PlayOptions {
  readonly index?: number
  /** The values that earlier steps saved. A step whose values are missing is skipped. By default only the base URL is known */
  readonly saved?: PlayedStep['saved'] | undefined
  readonly signal?: AbortSignal | undefined
}

/** Plays one step. @throws UnreachableError */
export async function playStep(
  recorded: Step,
  sender: Sender,
  {
    index = 0,
    saved = new SavedMap(new Map([['base_url', sender.baseUrl]])),
    signal,
  }: PlayOptions = {},
): Promise<PlayedStep> {
  const journal = sender.simulator?.state.journal
  const position = journal?.position ?? 0
  const own = new Map<string, unknown>()
  const step = withIssuedIds(recorded, saved)
  try {
    const { added = {}, ...executed } =
      skippedWithout(step, saved) ??
      (await (isRequestStep(step)
        ? sendRequest(step, sender, saved, own, signal)
        : applyChange(step, sender, saved, own)))
    const outcome = executed.differences.length > 0 ? 'failed' : 'passed'
    const result = { outcome, ...executed } as const
    const record = (isRequestStep(step) && journal?.next(position)?.item) || null
    const savedNow = saved.with(own)
    return {
      index,
      step: withIssuedIds(recorded, savedNow),
      result,
      added,
      saved,
      savedNow,
      record,
    }
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    throw new UnreachableError(`${error.message} The request of steps[${index}] failed.`)
  }
}

type ExecutedStep = Omit<PlayedResult, 'outcome'> & {
  readonly outcome?: 'skipped'
  readonly added?: AddedIds
}

/** The result of a step whose values no earlier step saved. Null for another one */
function skippedWithout(step: Step, saved: SavedValues): ExecutedStep | null {
  const missing = findReferences(step, ['step']).find(({ name }) => !saved.has(name))
  if (!missing) return null
  const expected = `the value {${missing.name}}, which an earlier step saves`
  const where = formatPath(missing.path)
  const difference = { path: [], where, expected, got: 'nothing', inWords: true } as const
  return { request: null, response: null, differences: [difference], outcome: 'skipped' }
}

/** @param own gets the saved values @throws UnreachableError */
async function sendRequest(
  step: RequestStep,
  sender: Sender,
  saved: SavedValues,
  own: Map<string, unknown>,
  signal?: AbortSignal,
): Promise<ExecutedStep> {
  const sent = buildRequest(step, sender, saved)
  const request = { method: sent.method, url: sent.url }
  const isBelow = `${sent.url}/`.startsWith(`${sender.baseUrl}/`)
  const [name] = Object.entries(sent.headers).find(([, text]) => !writableValue.test(text)) ?? []
  const wrong = !isBelow
    ? inWords(['path'], `a URL below ${sender.baseUrl}`, sent.url)
    : name && inWords(['headers', name], 'characters that a header can contain', 'others')
  if (wrong) return { request, response: null, differences: [wrong] }
  const isExpected = ['429', '4xx'].includes(String(step.expect?.status).toLowerCase())
  const send = async () => {
    signal?.throwIfAborted()
    return sender.send(sent, isSafeMethod(sent.method) ? signal : undefined)
  }
  const { response } =
    sender.pause && !isExpected
      ? await sendAfterWaits(send, (seconds) => sender.pause?.(seconds, signal))
      : { response: await send() }
  // Most steps expect only a status. Parsing every body would double the time of a run.
  const needsBody = step.save ?? step.expect?.body ?? step.expect?.exact_body
  const body = needsBody === undefined ? undefined : parseTextBody(response.text)
  saveIssuedId(step, body, saved, own)
  const filled = withSaved(withIssuedIds(step, own) as RequestStep, saved)
  const differences = judgeResponse(filled, response, body, own)
  return { request, response: { status: response.status, text: response.text }, differences }
}

/** A step with the values that earlier steps saved in what it expects. */
export function withSaved(step: RequestStep, saved: SavedValues): RequestStep {
  const { expect } = step
  return expect ? { ...step, expect: fillValue(expect, saved) as ExpectedResponse } : step
}

/** What a response lacks of what a step expects and saves. @param own gets the saved values */
export function judgeResponse(
  { expect, save = {} }: RequestStep,
  response: ReceivedResponse,
  body: unknown,
  own: Map<string, unknown> = new Map(),
  options: DiffOptions = {},
): StepDifference[] {
  const differences = expect ? compareResponse(expect, response, body, options) : []
  return [...differences, ...saveValues(save, body, own, options.most)]
}

function buildRequest(step: RequestStep, sender: Sender, saved: SavedValues): SentRequest {
  const body = buildBody(step, saved)
  const key = step.as === undefined ? undefined : sender.key(step.as)
  const own = Object.entries(step.headers ?? {}).map(([name, value]) => {
    return [name.toLowerCase(), fillText(value, saved)]
  })
  return {
    method: step.method,
    url: buildUrl(step, sender.baseUrl, saved),
    headers: {
      ...(step.body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...Object.fromEntries(own),
    },
    ...(body !== undefined && { body }),
  }
}

function buildBody({ body, text }: RequestStep, saved: SavedValues): SentRequest['body'] {
  if (body !== undefined) return JSON.stringify(fillForSending(body, saved))
  return text === undefined ? undefined : String(fillValue(text, saved))
}

function buildUrl({ path, query }: RequestStep, baseUrl: string, saved: SavedValues): string {
  const pathOrUrl = fillText(path, saved)
  const url = pathOrUrl.startsWith('/') ? baseUrl + pathOrUrl : pathOrUrl
  if (!query) return url
  const pairs = Object.entries(query).map(
    ([name, value]) => [name, fillText(String(value), saved)] as const,
  )
  return `${url}${url.includes('?') ? '&' : '?'}${writeQuery(pairs)}`
}

/** If the change is refused, the error message is a difference. */
async function applyChange(
  step: ChangeStep,
  sender: Sender,
  saved: SavedValues,
  own: Map<string, unknown>,
): Promise<ExecutedStep> {
  const kind = changeKindOf(step)
  const save = 'save' in step ? (step.save ?? {}) : {}
  try {
    const value = (step as Record<string, unknown>)[kind]
    // The rows of a world are plain JSON.
    const change = { [kind]: kind === 'world' ? value : fillForSending(value, saved) }
    const added = await sender.change(change as Change)
    return { request: null, response: null, differences: saveValues(save, added, own), added }
  } catch (error) {
    if (error instanceof UnreachableError || !isUsageError(error)) throw error
    const differences = [inWords([kind], 'a valid change', error.message)]
    return { request: null, response: null, differences }
  }
}

/** @returns a difference for each value that the body lacks */
function saveValues(
  save: Readonly<Record<string, string>>,
  body: unknown,
  saved: Map<string, unknown>,
  most = Number.POSITIVE_INFINITY,
): StepDifference[] {
  const missing: StepDifference[] = []
  for (const [name, pointer] of Object.entries(save)) {
    const value = resolvePointer(body, pointer)
    if (value !== undefined) saved.set(name, value)
    else if (missing.push(inWords(['save', name], `a value at ${pointer}`, 'nothing')) >= most)
      break
  }
  return missing
}

/** @param pointer a JSON Pointer (RFC 6901) */
function resolvePointer(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce<unknown>((inner, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof inner !== 'object' || inner === null) return undefined
    return Object.hasOwn(inner, key) ? (inner as Record<string, unknown>)[key] : undefined
  }, value)
}

function inWords(path: readonly string[], expected: string, got: string): StepDifference {
  return { path, where: path.join('.'), expected, got, inWords: true }
}

/** The text itself if it is not JSON, and undefined if it is empty. */
export function parseTextBody(text: string): unknown {
  if (text === '') return undefined
  const json = readJsonBody(text)
  return json ? json.value : text
}

/** The ids that a run issued, by the list and the recorded id, such as `annotations/12`. */
type IssuedIds = ReadonlyMap<string, unknown>

/** No step can use this name. */
const savedAs = 'issued ids'

/** Saves that the row of a recorded create got another id than in the recording. @param own gets it */
function saveIssuedId(
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
function withIssuedIds(step: Step, saved: SavedValues): Step {
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

import { isSafeMethod } from '../../http/messages.ts'
import { matchesStatus } from '../../simulator/journal/filter.ts'
import type { JournalRecord } from '../../simulator/journal/journal.ts'
import type { Difference } from '../../utils/diff.ts'
import { formatPath, isUsageError } from '../../utils/errors.ts'
import { readJsonBody, withoutByteOrderMark } from '../../utils/json.ts'
import { UnreachableError } from '../../utils/network.ts'
import { writeQuery } from '../../utils/query.ts'
import { matchesAlias } from '../../utils/redaction/aliases.ts'
import { turnAfter } from '../../utils/wait.ts'
import type { AddedIds } from '../../world/edit/edit-rows.ts'
import { findReferences } from '../format/check-scenario.ts'
import { diffWithMatchers } from '../format/matching.ts'
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
} from '../format/values.ts'
import type { StepDifference } from './differences.ts'
import { saveIssuedId, withIssuedIds } from './issued-ids.ts'
import type { StepResult } from './result.ts'
import type { ReceivedResponse, Sender, SentRequest } from './sender.ts'
import { sendAfterWaits } from './throttled.ts'

/** A step that was played. */
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

/** What a step did, and whether that was as expected. */
type PlayedResult = Pick<StepResult, 'request' | 'response' | 'differences' | 'outcome'>

/**
 * Plays the steps of a scenario one after another: the next one when the caller asks for it.
 *
 * @param signal ends the play. The response to a write is waited for, because it says whether the write was carried out
 * @throws UnreachableError if no server responds, and the reason of the signal
 * @example for await (const { step, result, record } of play(scenario, sender)) report(step, result, record)
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
  /** The place of the step in its scenario, for messages */
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

/** What a step did. */
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

/** Sends the request of a step, compares the response, and saves values of it. @param own gets them @throws UnreachableError */
async function sendRequest(
  step: RequestStep,
  sender: Sender,
  saved: SavedValues,
  own: Map<string, unknown>,
  signal?: AbortSignal,
): Promise<ExecutedStep> {
  const sent = buildRequest(step, sender, saved)
  const request = { method: sent.method, url: sent.url }
  if (!`${sent.url}/`.startsWith(`${sender.baseUrl}/`)) {
    const expected = `a URL below ${sender.baseUrl}`
    return { request, response: null, differences: [inWords(['path'], expected, sent.url)] }
  }
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
  const { expect, save = {} } = withIssuedIds(step, own) as RequestStep
  const differences = expect ? compareResponse(expect, response, body, saved) : []
  return {
    request,
    response: { status: response.status, text: response.text },
    differences: [...differences, ...saveValues(save, body, own)],
  }
}

function buildRequest(step: RequestStep, sender: Sender, saved: SavedValues): SentRequest {
  const body = buildBody(step, saved)
  const key = step.as === undefined ? undefined : sender.key(step.as)
  return {
    method: step.method,
    url: buildUrl(step, sender.baseUrl, saved),
    headers: {
      ...(step.body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...fillHeaders(step, saved),
    },
    ...(body !== undefined && { body }),
  }
}

/** The headers of a step by their lower-case names. */
function fillHeaders({ headers = {} }: RequestStep, saved: SavedValues): Record<string, string> {
  const entries = Object.entries(headers)
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), fillText(value, saved)]),
  )
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

/** Changes the world. If the change is refused, the error message is a difference. */
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

/** Saves values of a response for later steps. Returns a difference for each value that the body does not contain. */
function saveValues(
  save: Readonly<Record<string, string>>,
  body: unknown,
  saved: Map<string, unknown>,
): StepDifference[] {
  return Object.entries(save).flatMap(([name, pointer]) => {
    const value = resolvePointer(body, pointer)
    if (value === undefined) return [inWords(['save', name], `a value at ${pointer}`, 'nothing')]
    saved.set(name, value)
    return []
  })
}

/** Resolves a JSON Pointer (RFC 6901). Returns undefined if the value does not contain it. */
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

/** Parses a body as JSON. Returns the text if it is not JSON, and undefined if it is empty. */
export function parseTextBody(text: string): unknown {
  if (text === '') return undefined
  const json = readJsonBody(text)
  return json ? json.value : text
}

export function compareResponse(
  expected: ExpectedResponse,
  response: ReceivedResponse,
  body: unknown,
  saved: SavedValues,
): StepDifference[] {
  const { status, headers = {}, broken = false } = expected
  if (broken !== response.broken) {
    const complete = response.status === 0 ? 'a response' : `a response (${response.status})`
    const outcomes = [complete, 'a broken connection']
    const [outcome, actual] = [outcomes[Number(broken)], outcomes[Number(response.broken)]]
    return [{ ...toStepDifference('broken', outcome, actual), inWords: true }]
  }
  const differences: StepDifference[] = []
  if (status !== undefined && !matchesStatus(response.status, status)) {
    differences.push(toStepDifference('status', status, response.status))
  }
  for (const [name, value] of Object.entries(headers)) {
    const filled = value === null ? { $match: 'absent' } : fillValue(value, saved)
    const actual = response.headers.get(name) ?? undefined
    for (const difference of diffWithMatchers(filled, actual, false)) {
      differences.push(placeDifference('headers', { ...difference, path: [name] }))
    }
  }
  for (const part of ['body', 'exact_body', 'text'] as const) {
    if (!(part in expected)) continue
    const filled = fillValue(expected[part], saved)
    if (part === 'text') {
      // A received text is decoded without the mark, as a client does it.
      const text = typeof filled === 'string' ? withoutByteOrderMark(filled) : filled
      const isSame = text === response.text || matchesAlias(text, response.text) === true
      if (!isSame) differences.push(toStepDifference(part, text, response.text))
    } else {
      for (const difference of diffWithMatchers(filled, body, part === 'exact_body')) {
        differences.push(placeDifference(part, difference))
      }
    }
  }
  return differences
}

function toStepDifference(part: string, expected: unknown, got: unknown): StepDifference {
  return placeDifference(part, { path: [], expected, got })
}

function placeDifference(part: string, difference: Difference): StepDifference {
  const { path } = difference
  const name = part === 'exact_body' ? 'body' : part
  return { ...difference, path: ['expect', part, ...path], where: formatPath([name, ...path]) }
}

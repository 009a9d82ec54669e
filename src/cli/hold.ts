import process from 'node:process'
import { createInterface } from 'node:readline'
import type { RemoteHeldRequest } from '../remote/breakpoints.ts'
import { RemoteError } from '../remote/client.ts'
import { connect, type Remote } from '../remote/connect.ts'
import {
  type BreakpointInfo,
  type BreakpointRequest,
  type FulfilledResponse,
  parseChanges,
  parseFulfilled,
  type RequestChanges,
} from '../sandbox/breakpoints/breakpoint-request.ts'
import { describePattern } from '../sandbox/request-pattern.ts'
import { maskKey } from '../utils/redaction/mask.ts'
import { isOpaqueValue } from '../utils/redaction/secrets.ts'
import { UsageError, unexpectedValue } from '../utils/usage-error.ts'
import { defineCommand, type FlagValues } from './command.ts'
import { asUnreachable, type CommandContext, exitCodes } from './command-context.ts'
import { parseDuration, targetTokenFlag } from './flags.ts'

const help = `
Without --continue, --edit, --answer and --drop, the command reads what to do from stdin, a line of these:
  continue
  edit {"body": {"content": "Edited"}}
  answer 503
  answer {"status": 409, "headers": {"retry-after": "5"}, "body": {"detail": "Taken."}}
  drop
At the end of stdin, and when the command is interrupted, the request continues.

Examples:
  npx understudy-api hold --operation createAnnotation
  npx understudy-api hold --method POST --answer 503
  npx understudy-api hold --path /api/projects/1/annotations --edit '{"headers": {"authorization": null}}' --json

Exit codes: 0 when the request has ended, 2 for wrong input and if the breakpoint is removed, 4 if the server does not respond, 130 if it is interrupted.`

const ends = ['continue', 'edit', 'answer', 'drop']
const conflictsOf = (name: string): string[] => ends.filter((other) => other !== name)

const flags = {
  '--target <url>': { text: 'server that gets the request', default: 'http://127.0.0.1:4010' },
  '--token <text>': targetTokenFlag,
  '--operation <id>': 'operation of the request, such as createAnnotation',
  '--method <name>': 'method of the request, such as POST',
  '--path <path>': 'path of the request; :name and * match any segment',
  '--key <label>': 'the label or the value of its key',
  '--timeout <duration>': {
    text: 'how long the request is held at most; then it continues',
    default: 30_000,
    defaultText: '30s',
    parse: parseTimeout,
  },
  '--continue': { text: 'let the request go on as it is', conflicts: conflictsOf('continue') },
  '--edit <json>': {
    text: 'let it go on with another method, path, headers or body',
    parse: parseEdit,
    conflicts: conflictsOf('edit'),
  },
  '--answer <status|json>': {
    text: 'respond in place of the service: a status, or {"status", "headers", "body"}',
    parse: parseAnswer,
    conflicts: conflictsOf('answer'),
  },
  '--drop': { text: 'break its connection', conflicts: conflictsOf('drop') },
  '--json': 'print a line of JSON for the request, and one for its end',
} as const

export default defineCommand({
  name: 'hold',
  summary: 'Hold the next request to a running server, and let it go on, edit, answer or drop it.',
  flags,
  help,
  run: (_args, values, context) => untilHangup(context, (signal) => hold(values, context, signal)),
})

type HoldFlags = FlagValues<typeof flags>

/** How a person ends a held request. */
type Decision =
  | { readonly edit: RequestChanges }
  | { readonly answer: FulfilledResponse }
  | { readonly drop: true }

/** Runs a task whose signal is aborted when the command has to end, and when its terminal is closed. */
async function untilHangup<T>(
  context: CommandContext,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const hangup = new AbortController()
  const stop = (): void => hangup.abort('SIGHUP')
  process.once('SIGHUP', stop)
  try {
    return await run(AbortSignal.any([context.ended, hangup.signal]))
  } finally {
    process.off('SIGHUP', stop)
  }
}

async function hold(
  flags: HoldFlags,
  context: CommandContext,
  signal: AbortSignal,
): Promise<number> {
  const { target, token, json } = flags
  const { paint } = context
  const decision = toDecision(flags)
  const remote = connect(target, token === undefined ? {} : { token })
  await remote.health().catch((error) => Promise.reject(asUnreachable(error)))
  const pattern = toPattern(flags)
  try {
    const onAdd = ({ warning }: BreakpointInfo): void => {
      if (!json) {
        const requests = paint('name', describeRequests(pattern))
        context.print(`Waiting for the next request (${requests}). Press Ctrl-C to stop.`)
      }
      if (warning !== null) context.printError(warning)
    }
    const held = await remote.breakpoints.next(pattern, { signal, onAdd })
    if (json) context.printJsonLine({ event: 'held', ...held })
    else context.print(formatHeld(held, context))
    if (decision) await apply(decision, held)
    else await decide(held, remote, context, signal)
    await printEnd(held.id, remote, flags, context)
  } catch (error) {
    // A server that stops removes the breakpoint first: its error does not say that the server is gone.
    if (!signal.aborted) throw await remote.health().then(() => error, asUnreachable)
  }
  return signal.aborted ? exitCodes.interrupted : exitCodes.ok
}

/** A label is shown, and a key that looks like one is masked. */
function describeRequests(pattern: BreakpointRequest): string {
  const { key } = pattern
  const requests = describePattern(pattern)
  if (key === undefined) return requests
  const isValue = /^ph[a-z]_/.test(key) || isOpaqueValue(key)
  return `${requests} with the key ${isValue ? maskKey(key) : key}`
}

function toPattern({ operation, method, path, key, timeout }: HoldFlags): BreakpointRequest {
  const pattern = {
    ...(operation !== undefined && { operation }),
    ...(method !== undefined && { method: method.toUpperCase() }),
    ...(path !== undefined && { path }),
    ...(key !== undefined && { key }),
  }
  // The server checks the method.
  return { ...(pattern as BreakpointRequest), timeout_ms: timeout }
}

/** Null if stdin has the decision. */
function toDecision({ continue: goesOn, edit, answer, drop }: HoldFlags): Decision | null {
  if (goesOn) return { edit: {} }
  if (edit) return { edit }
  if (answer) return { answer }
  return drop ? { drop } : null
}

async function apply(decision: Decision, held: RemoteHeldRequest): Promise<void> {
  if ('edit' in decision) await held.continue(decision.edit)
  else if ('answer' in decision) await held.fulfill(decision.answer)
  else await held.drop()
}

/** Reads lines until one ends the request, or until it ends by itself. */
async function decide(
  held: RemoteHeldRequest,
  remote: Remote,
  context: CommandContext,
  signal: AbortSignal,
): Promise<void> {
  const closed = new AbortController()
  const stop = (): void => closed.abort()
  signal.addEventListener('abort', stop)
  const { stdin } = process
  const lines = createInterface({ input: stdin, signal: closed.signal })
  const ended = waitForEnd(held.id, remote, closed.signal).finally(() => lines.close())
  ended.catch(() => {})
  context.printError('continue, edit {…}, answer STATUS or {…}, drop?')
  try {
    const isDecided = await readDecision(lines, held, context)
    // Also when the input has ended, and when the command is interrupted.
    if (!isDecided) await held.continue().catch(ifEnded)
  } finally {
    signal.removeEventListener('abort', stop)
    closed.abort()
    stdin.destroy()
  }
}

/** @returns whether a line ended the request */
async function readDecision(
  lines: AsyncIterable<string>,
  held: RemoteHeldRequest,
  context: CommandContext,
): Promise<boolean> {
  for await (const line of lines) {
    if (line.trim() === '') continue
    try {
      await apply(parseLine(line.trim()), held)
      return true
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      context.printError(error.message)
      if (error instanceof RemoteError && error.status === 404) return true
    }
  }
  return false
}

/** @throws UsageError for any other line */
function parseLine(line: string): Decision {
  const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(line) ?? []
  if (word === 'continue' && rest === '') return { edit: {} }
  if (word === 'edit') return { edit: parseEdit(rest, 'the line') }
  if (word === 'answer') return { answer: parseAnswer(rest, 'the line') }
  if (word === 'drop' && rest === '') return { drop: true }
  const expected = 'continue, edit {…}, answer STATUS or {…}, or drop'
  throw unexpectedValue('read the line', expected, line)
}

/** Resolves when the request is no longer held. */
async function waitForEnd(id: number, remote: Remote, signal: AbortSignal): Promise<void> {
  let after: number | undefined
  do {
    const wait = after === undefined ? {} : { after, wait_ms: 50_000 }
    const { version, held } = await remote.breakpoints.read(wait, { signal })
    if (!held.some((each) => each.id === id)) return
    after = version
  } while (!signal.aborted)
}

/** The request may have ended by itself in the meantime. */
function ifEnded(error: unknown): void {
  if (!(error instanceof RemoteError && error.status === 404)) throw error
}

async function printEnd(
  id: number,
  remote: Remote,
  { json }: HoldFlags,
  context: CommandContext,
): Promise<void> {
  const entry = await remote.journal.get(id)
  if (json) {
    const { status } = entry?.response ?? {}
    const [outcome, reason] = [entry?.breakpoint?.outcome ?? null, entry?.reason ?? null]
    context.printJsonLine({ event: 'ended', id, status: status ?? null, outcome, reason })
  } else if (entry) context.print(`Request ${id} ended. ${entry.reason}`)
  else context.print(`Request ${id} goes on. Its response is not in the journal yet.`)
}

function formatHeld(held: RemoteHeldRequest, { paint }: CommandContext): string {
  const { id, method, path, query, key, operation, remaining_ms, request } = held
  const search = String(new URLSearchParams(query))
  const facts = [operation ?? 'no operation', key ? (key.label ?? key.value) : 'no key']
  const headers = Object.entries(request.headers).map(([name, value]) => `  ${name}: ${value}`)
  const body = request.body === null ? [] : ['', `  ${JSON.stringify(request.body)}`]
  return [
    `${paint('strong', `${method} ${path}${search && `?${search}`}`)} is held as request ${id} (${facts.join(', ')}).`,
    `It continues by itself in ${Math.ceil(remaining_ms / 1_000)} s.`,
    ...headers,
    ...body,
    ...(request.omitted ? ['', `  (a body of ${request.bytes} bytes)`] : []),
  ].join('\n')
}

function parseTimeout(text: string, source: string): number {
  const milliseconds = parseDuration(text, source)
  if (milliseconds <= 600_000) return milliseconds
  throw unexpectedValue(`read ${source}`, 'at most 600s', text)
}

function parseEdit(text: string, source: string): RequestChanges {
  return parseChanges(parseObject(text, source, 'the parts to replace as JSON') as RequestChanges)
}

function parseAnswer(text: string, source: string): FulfilledResponse {
  const isStatus = /^\d+$/.test(text)
  const expected = 'a status, or a response as JSON'
  const response = isStatus ? { status: Number(text) } : parseObject(text, source, expected)
  parseFulfilled(response as FulfilledResponse)
  return response as FulfilledResponse
}

/** @throws UsageError for a text that is not a JSON object */
function parseObject(text: string, source: string, expected: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // The message is the same as for JSON that is no object.
  }
  throw unexpectedValue(`read ${source}`, expected, text)
}

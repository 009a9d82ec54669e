import { splitSandboxPath } from '../http/url.ts'
import { formatNearest, type UnexpectedRequest } from '../scenarios/playback/unexpected-request.ts'
import type { RequestSummary } from '../simulator/journal/entry-writer.ts'
import { reasonWithoutStatus } from '../simulator/journal/reason.ts'
import type { Simulator } from '../simulator.ts'
import { escapeControls } from '../utils/escape.ts'
import { Clock } from '../world/clock/clock.ts'
import {
  type CommandContext,
  type Output,
  type Paint,
  painter,
  type TextTone,
} from './command-context.ts'

export interface LogLine extends Omit<RequestSummary, 'id' | 'target' | 'ms' | 'nearest'> {
  /** ISO 8601, UTC: the real time, not the time of the world */
  readonly time: string
  /** The path and the query, without keys */
  readonly path: string
  /** The duration in milliseconds; null if it is not known */
  readonly ms: number | null
  /** The id of the sandbox; null for the server's own world */
  readonly sandbox: string | null
  /** Whether the recording has the request; null if the server has no recording */
  readonly recorded: boolean | null
  /** The nearest routes, or the nearest recorded request */
  readonly nearest: string | null
  /** Whether the service of `--forward` got the request */
  readonly forwarded: boolean
}

export const logLineDefaults: Omit<LogLine, 'time' | 'method' | 'path' | 'status'> = {
  ms: null,
  key: null,
  sandbox: null,
  operation: null,
  settings: {},
  reason: null,
  ignored: [],
  fault: null,
  recorded: null,
  nearest: null,
  forwarded: false,
}

export function formatTextLine(request: LogLine, paint: Paint): string {
  const { time, status, method, path, ms, key, sandbox } = request
  const duration = ms === null ? null : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
  const details = [duration, key, sandbox].flatMap((text) =>
    text === null ? [] : escapeControls(text),
  )
  const head = [
    paint('faint', formatTimeOfDay(time)),
    paint(toneOf(status), status === 0 ? '---' : String(status)),
    paint('strong', escapeControls(method)),
    escapeControls(path),
    ...(details.length > 0 ? [paint('faint', details.join(', '))] : []),
  ].join(' ')
  const reasons = escapeControls(explanations(request).join('; '))
  return reasons === '' ? head : `${head} – ${reasons}`
}

function formatTimeOfDay(time: string): string {
  return new Date(time).toTimeString().slice(0, 8)
}

function toneOf(status: number): TextTone {
  if (status === 0 || status >= 500) return 'bad'
  return status >= 400 ? 'warning' : 'good'
}

function explanations(request: LogLine): string[] {
  const { status, recorded, nearest, ignored, forwarded } = request
  const reason = recorded === false ? null : request.reason
  return [
    ...(forwarded ? ['forwarded'] : []),
    ...(recorded === false ? ['not recorded'] : []),
    ...(reason === null ? [] : [reasonWithoutStatus(reason, status)]),
    ...(recorded === false && nearest !== null ? [`nearest: ${nearest}`] : []),
    ...ignored.map((text) => `ignored: ${text}`),
  ]
}

/** Logs each request to a server, and each reload of its file, on stderr. */
export class RequestLog {
  readonly #format: 'text' | 'json'
  readonly #clock = new Clock('real')
  readonly #stream: Output
  readonly #paint: Paint
  /** Requests that the recording does not have, until their responses are logged; each with the nearest recorded one */
  readonly #unexpected = new Map<string, string | null>()
  #simulator: Simulator | null = null
  #isReplaying = false

  constructor(format: 'text' | 'json', { stderr }: CommandContext) {
    this.#format = format
    this.#stream = stderr
    this.#paint = painter(stderr)
  }

  /** @param isReplaying whether a recording answers before the simulator */
  follow(simulator: Simulator, isReplaying: boolean): void {
    this.#simulator = simulator
    this.#isReplaying = isReplaying
    simulator.journal.followSummaries((entry) => this.#logEntry(entry, null))
    simulator.sandboxes.follow((id, { journal }) => {
      journal.followSummaries((entry) => this.#logEntry(entry, id))
    })
  }

  /** Remembers a request that the recording does not have. It is logged with its response. */
  unexpectedRequest({ method, path, nearest }: UnexpectedRequest): void {
    this.#unexpected.set(`${method} ${path}`, nearest && formatNearest(nearest))
  }

  /** Logs a request to a path outside the API. Requests to unknown paths of the API are in the journal. */
  notFound(method: string, path: string): void {
    const { sandboxId, path: innerPath } = splitSandboxPath(path.split('?')[0] as string)
    const isUnknownSandbox =
      sandboxId !== undefined && this.#simulator?.sandboxes.get(sandboxId) === undefined
    if (!isUnknownSandbox && !/^\/__admin(\/|$)/.test(innerPath)) return
    const time = this.#clock.iso()
    const reason = isUnknownSandbox
      ? `there is no sandbox ${sandboxId}`
      : 'no operation of the control API has this path'
    const request = { time, method, path, ...logLineDefaults, status: 404 }
    this.#logRequest({ ...request, reason: `404: ${reason}` })
  }

  /**
   * Logs a request for another service. The journal does not have it.
   *
   * @param refusal why that service did not get it
   */
  forwarded(request: Pick<LogLine, 'method' | 'path' | 'status' | 'ms'>, refusal?: string): void {
    const line = { time: this.#clock.iso(), ...logLineDefaults, ...request }
    const reason = `${request.status}: not forwarded: ${refusal}`
    this.#logRequest({ ...line, ...(refusal === undefined ? { forwarded: true } : { reason }) })
  }

  reloaded(file: string): void {
    const text = `${this.#paint('good', 'reloaded')} ${escapeControls(file)}`
    this.#logEvent({ event: 'reloaded', file }, text)
  }

  reloadFailed(file: string, message: string): void {
    const text = `${this.#paint('bad', 'not reloaded')} ${escapeControls(file)}: ${message.split('\n').map(escapeControls).join('\n  ')}`
    this.#logEvent({ event: 'not_reloaded', file, message }, text)
  }

  #logEntry({ id: _, target: path, ...entry }: RequestSummary, sandbox: string | null): void {
    const key = `${entry.method} ${path}`
    const isUnexpected = sandbox === null && this.#unexpected.has(key)
    const isReplaying = this.#isReplaying && sandbox === null
    this.#logRequest({
      time: this.#clock.iso(),
      ...entry,
      path,
      sandbox,
      forwarded: false,
      recorded: isReplaying ? !isUnexpected : null,
      nearest: (isUnexpected ? this.#unexpected.get(key) : entry.nearest) ?? null,
    })
    this.#unexpected.delete(key)
  }

  #logEvent(fields: object, text: string): void {
    const time = this.#clock.iso()
    this.#write({ time, ...fields }, () => `${this.#paint('faint', formatTimeOfDay(time))} ${text}`)
  }

  #logRequest(request: LogLine): void {
    const { time, reason, ignored, settings, ...rest } = request
    const event = { time, event: 'request', ...rest, reason, ignored, settings }
    this.#write(event, () => formatTextLine(request, this.#paint))
  }

  #write(event: object, text: () => string): void {
    const line = this.#format === 'json' ? escapeControls(JSON.stringify(event)) : text()
    this.#stream.write(`${line}\n`)
  }
}

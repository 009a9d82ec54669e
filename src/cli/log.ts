import { splitSandboxPath } from '../http/route.ts'
import type { ClientMistake } from '../mistakes/rule.ts'
import type { InvalidRequest } from '../server/invalid-requests.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { latestRequest } from '../utils/reports/merge-findings.ts'
import { escapeControls } from '../utils/text.ts'
import { Clock } from '../world/clock/clock.ts'
import {
  type CommandContext,
  type Output,
  type Paint,
  painter,
  type TextTone,
} from './command-context.ts'

interface LogLine {
  readonly method: string
  /** 0 if the connection broke */
  readonly status: number
  /** The real time of day, as `TimeOfDay` writes it */
  readonly time: string
  /** The path and the query, without keys */
  readonly path: string
  /** The duration in milliseconds */
  readonly ms?: number | null
  /** The label of the key */
  readonly key?: string | null
  /** The id of the sandbox. Null for the server's own world */
  readonly sandbox?: string | null
  /** What the reader should know, such as why it was refused */
  readonly notes?: readonly string[]
}

export function formatLogLine(request: LogLine, paint: Paint): string {
  const { time, status, method, path, ms = null, key = null, sandbox = null } = request
  const duration = ms === null ? null : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
  const details = [duration, key, sandbox].filter((text) => text !== null).join(', ')
  const code = paint(toneOf(status), status === 0 ? '---' : String(status))
  const start = `${paint('faint', time)} ${code} ${paint('strong', escapeControls(method))}`
  const about = details && ` ${paint('faint', escapeControls(details))}`
  const notes = request.notes?.length ? ` – ${escapeControls(request.notes.join('; '))}` : ''
  return `${start} ${escapeControls(path)}${about}${notes}`
}

/** Writes times of day. Those of one second are one text. */
export class TimeOfDay {
  #second = Number.NaN
  #text = ''

  /** @param time in milliseconds since 1970 */
  of(time: number): string {
    const second = Math.floor(time / 1_000)
    if (second !== this.#second) this.#text = new Date(time).toTimeString().slice(0, 8)
    this.#second = second
    return this.#text
  }
}

function toneOf(status: number): TextTone {
  if (status === 0 || status >= 500) return 'bad'
  return status >= 400 ? 'warning' : 'good'
}

/** Logs each request to a server, and each reload of its file, on stderr. */
export class RequestLog {
  readonly #clock = new Clock('real')
  readonly #times = new TimeOfDay()
  readonly #stream: Output
  readonly #paint: Paint
  #simulator: Simulator | null = null

  constructor({ stderr }: CommandContext) {
    this.#stream = stderr
    this.#paint = painter(stderr)
  }

  follow(simulator: Simulator): void {
    this.#simulator = simulator
    simulator.followWorlds(({ journal }, id) => {
      journal.followWritten((entry) => {
        const { target: path, status, keyName: key, remarks: notes, record } = entry
        const { method, ms } = record
        this.#logRequest({ method, path, status, ms, key, sandbox: id, notes })
      })
    })
  }

  /** Logs a request to a path outside the API. Requests to unknown paths of the API are in the journal. */
  notFound(method: string, path: string): void {
    const { sandboxId, path: innerPath } = splitSandboxPath(path.split('?')[0] as string)
    const isUnknownSandbox =
      sandboxId !== undefined && this.#simulator?.sandboxes.get(sandboxId) === undefined
    if (!isUnknownSandbox && !/^\/__admin(\/|$)/.test(innerPath)) return
    const note = isUnknownSandbox
      ? `there is no sandbox ${sandboxId}`
      : 'no operation of the admin API has this path'
    this.#logRequest({ method, path, status: 404, notes: [note] })
  }

  /** Logs what is no valid request. */
  invalidRequest({ method, url, status, reason }: InvalidRequest): void {
    const line = { method: method ?? '?', path: url ?? '?', status, notes: [reason] }
    this.#logRequest(line)
  }

  /**
   * Logs a request for another service. The journal does not have it.
   *
   * @param refusal why that service did not get it
   */
  forwarded(request: Omit<LogLine, 'time' | 'notes'>, refusal?: string): void {
    const note = refusal === undefined ? 'forwarded' : `not forwarded: ${refusal}`
    this.#logRequest({ ...request, notes: [note] })
  }

  /** Logs a client mistake, with the request that shows it. A note is dimmed. */
  mistake(mistake: ClientMistake): void {
    const { rule, level, message, cure } = mistake
    const text = escapeControls(`${message} ${cure} (${latestRequest(mistake)})`)
    const name = this.#paint(level === 'error' ? 'bad' : 'warning', `mistake ${rule}:`)
    const isNote = level === 'note'
    this.#logEvent(isNote ? this.#paint('faint', `note ${rule}: ${text}`) : `${name} ${text}`)
  }

  reloaded(file: string): void {
    this.#logEvent(`${this.#paint('good', 'reloaded')} ${escapeControls(file)}`)
  }

  reloadFailed(file: string, message: string): void {
    const lines = message.split('\n').map(escapeControls).join('\n  ')
    this.#logEvent(`${this.#paint('bad', 'not reloaded')} ${escapeControls(file)}: ${lines}`)
  }

  get #time(): string {
    return this.#times.of(this.#clock.now())
  }

  #logRequest(request: Omit<LogLine, 'time'>): void {
    const line = formatLogLine({ time: this.#time, ...request }, this.#paint)
    this.#stream.write(`${line}\n`)
  }

  #logEvent(text: string): void {
    this.#stream.write(`${this.#paint('faint', this.#time)} ${text}\n`)
  }
}

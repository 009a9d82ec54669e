import { splitSandboxPath } from '../../http/url.ts'
import type { RequestSummary } from '../../sandbox/journal/renderer.ts'
import type { UnexpectedRequest } from '../../scenarios/replay-server/match-request.ts'
import { formatNearest } from '../../scenarios/replay-server/respond.ts'
import type { Simulator } from '../../simulator.ts'
import { Clock } from '../../world/clock/clock.ts'
import type { CommandContext } from '../command-context.ts'
import { LineBuffer } from '../output/line-buffer.ts'
import { type Paint, painter } from '../output/paint.ts'
import { formatReloadSummary, type ReloadListener, type ReloadSummary } from './reload-summary.ts'
import {
  formatJsonLine,
  formatTextLine,
  formatTimeOfDay,
  type LogFormat,
  type LoggedRequest,
  loggedRequestDefaults,
} from './request-line.ts'

/** Logs each request to a server, and each reload of its file, on stderr. */
export class RequestLog implements ReloadListener {
  readonly #format: LogFormat
  readonly #clock = new Clock('real')
  readonly #lines: LineBuffer
  readonly #paint: Paint
  /** Requests that the recording does not have, until their responses are logged; each with the nearest recorded one */
  readonly #unexpected = new Map<string, string | null>()
  #simulator: Simulator | null = null

  constructor(format: LogFormat, { stderr }: CommandContext) {
    this.#format = format
    this.#lines = new LineBuffer(stderr, 0)
    this.#paint = painter(stderr)
  }

  /** Logs the requests to a simulator and its sandboxes from now on. */
  follow(simulator: Simulator): void {
    this.#simulator = simulator
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
    this.#logRequest({ time, method, path, ...loggedRequestDefaults, status: 404 })
  }

  reloaded(file: string, summary: ReloadSummary): void {
    const { ignored = [] } = summary
    const paint = this.#paint
    const lines = ignored.map((change) => `  ${paint('warning', 'ignored')} ${change}`)
    const head = `${paint('good', 'reloaded')} ${file}: ${formatReloadSummary(summary)}`
    this.#logEvent({ event: 'reloaded', file, ...summary }, [head, ...lines].join('\n'))
  }

  reloadFailed(file: string, message: string): void {
    const text = `${this.#paint('bad', 'not reloaded')} ${file}: ${message.replaceAll('\n', '\n  ')}`
    this.#logEvent({ event: 'not_reloaded', file, message }, text)
  }

  /** Writes the lines that wait. */
  flush(): void {
    this.#lines.flush()
  }

  #logEntry({ id: _, target: path, ...entry }: RequestSummary, sandbox: string | null): void {
    const key = `${entry.method} ${path}`
    const isUnexpected = sandbox === null && this.#unexpected.has(key)
    const isReplaying = this.#simulator?.replaying != null && sandbox === null
    this.#logRequest({
      time: this.#clock.iso(),
      ...entry,
      path,
      sandbox,
      recorded: isReplaying ? !isUnexpected : null,
      nearest: (isUnexpected ? this.#unexpected.get(key) : entry.nearest) ?? null,
    })
    this.#unexpected.delete(key)
  }

  #logEvent(fields: object, text: string): void {
    const time = this.#clock.iso()
    const line = `${this.#paint('faint', formatTimeOfDay(time))} ${text}`
    this.#log(this.#format === 'json' ? JSON.stringify({ time, ...fields }) : line)
  }

  #logRequest(request: LoggedRequest): void {
    this.#log(
      this.#format === 'json' ? formatJsonLine(request) : formatTextLine(request, this.#paint),
    )
  }

  #log(line: string): void {
    this.#lines.add(() => line)
  }
}

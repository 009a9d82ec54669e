import process from 'node:process'
import { splitSandboxPath } from '../../http/url.ts'
import type { RequestSummary } from '../../sandbox/journal/renderer.ts'
import type { UnexpectedRequest } from '../../scenarios/replay-server/match-request.ts'
import { formatNearest } from '../../scenarios/replay-server/respond.ts'
import type { Simulator } from '../../simulator.ts'
import { Clock } from '../../world/clock/clock.ts'
import { ImmediateLineBuffer } from '../output/line-buffer.ts'
import { painter } from '../output/print.ts'
import type { ReloadListener } from '../serve/watch-served.ts'
import { formatReloadSummary, type ReloadSummary } from '../serve/watch-served.ts'
import type { LogFormat } from './request-line.ts'
import {
  formatJsonLine,
  formatTextLine,
  formatTimeOfDay,
  type LoggedRequest,
  loggedRequestDefaults,
} from './request-line.ts'

/** Tells of each request that a server answers, and of files that it takes over, on stderr. */
export class RequestLog implements ReloadListener {
  readonly #format: LogFormat
  readonly #clock = new Clock('real')
  readonly #lines = new ImmediateLineBuffer((text) => process.stderr.write(text))
  readonly #paint = painter(process.stderr)
  /** What no recording has, and whose answer is on its way: what it was probably meant to be. */
  readonly #unexpected = new Map<string, string | null>()
  #simulator: Simulator | null = null

  constructor(format: LogFormat) {
    this.#format = format
  }

  /** Begins to tell of what a simulator and its sandboxes answer. */
  follow(simulator: Simulator): void {
    this.#simulator = simulator
    simulator.journal.followSummaries((entry) => this.#entry(entry, null))
    simulator.sandboxes.follow((id, { journal }) => {
      journal.followSummaries((entry) => this.#entry(entry, id))
    })
  }

  /** Told of a request that a recording has not, before it is answered. */
  unexpectedRequest({ method, path, nearest }: UnexpectedRequest): void {
    this.#unexpected.set(`${method} ${path}`, nearest && formatNearest(nearest))
  }

  /** Told of a path that nothing answers. Those of the API are in a journal, and told by it. */
  notFound(method: string, path: string): void {
    const { sandboxId, path: own } = splitSandboxPath(path.split('?')[0] as string)
    const isLost =
      sandboxId !== undefined && this.#simulator?.sandboxes.get(sandboxId) === undefined
    if (!isLost && !/^\/__admin(\/|$)/.test(own)) return
    this.#tell({ time: this.#clock.iso(), method, path, ...loggedRequestDefaults, status: 404 })
  }

  /** Told of a file whose changes were taken over. */
  reloaded(file: string, reloaded: ReloadSummary): void {
    const { ignored = [] } = reloaded
    const paint = this.#paint
    const lines = ignored.map((what) => `  ${paint('warning', 'ignored')} ${what}`)
    const head = `${paint('good', 'reloaded')} ${file}: ${formatReloadSummary(reloaded)}`
    this.#event({ event: 'reloaded', file, ...reloaded }, [head, ...lines].join('\n'))
  }

  /** Told of a file with faults. */
  reloadFailed(file: string, message: string): void {
    const text = `${this.#paint('bad', 'not reloaded')} ${file}: ${message.replaceAll('\n', '\n  ')}`
    this.#event({ event: 'not_reloaded', file, message }, text)
  }

  /** Writes what waits to be written. */
  flush(): void {
    this.#lines.flush()
  }

  #entry({ id: _, target: path, ...entry }: RequestSummary, sandbox: string | null): void {
    const asked = `${entry.method} ${path}`
    const isUnexpected = sandbox === null && this.#unexpected.has(asked)
    const answers = this.#simulator?.replaying != null && sandbox === null
    this.#tell({
      time: this.#clock.iso(),
      ...entry,
      path,
      sandbox,
      recorded: answers ? !isUnexpected : null,
      nearest: (isUnexpected ? this.#unexpected.get(asked) : entry.nearest) ?? null,
    })
    this.#unexpected.delete(asked)
  }

  #event(fields: object, text: string): void {
    const time = this.#clock.iso()
    const line = `${this.#paint('faint', formatTimeOfDay(time))} ${text}`
    this.#lines.add(this.#format === 'json' ? JSON.stringify({ time, ...fields }) : line)
  }

  #tell(request: LoggedRequest): void {
    this.#lines.add(
      this.#format === 'json' ? formatJsonLine(request) : formatTextLine(request, this.#paint),
    )
  }
}

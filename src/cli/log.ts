import { splitSandboxPath } from '../http/route.ts'
import type { ClientMistake } from '../mistakes/rule.ts'
import type { ListenOptions } from '../server/listen.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { latestRequest } from '../utils/reports/merge-findings.ts'
import { escapeControls } from '../utils/text.ts'
import { wait } from '../utils/wait.ts'
import { Clock } from '../world/clock/clock.ts'
import { type CommandContext, type Paint, painter, type TextTone } from './command-context.ts'

interface LogLine {
  readonly method: string
  /** 0 if the connection broke */
  readonly status: number
  /** The path and the query, without keys */
  readonly path: string
  /** The duration in milliseconds */
  readonly ms?: number | null
  readonly key?: string | null
  /** The id of the sandbox. Null for the server's own world */
  readonly sandbox?: string | null
  /** What the reader should know, such as why it was refused */
  readonly notes?: readonly string[]
}

function formatLogLine(time: string, request: LogLine, paint: Paint) {
  const { status, method, path, ms = null, key = null, sandbox = null } = request
  let details = ms === null ? '' : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
  for (const name of [key, sandbox]) if (name !== null) details += details ? `, ${name}` : name
  const code = paint(toneOf(status), status === 0 ? 'no response to' : String(status))
  const start = `${paint('faint', time)} ${code} ${paint('strong', escapeControls(method))}`
  const about = details && ` ${paint('faint', escapeControls(details))}`
  const notes = request.notes?.length ? ` – ${escapeControls(request.notes.join('; '))}` : ''
  return `${start} ${escapeControls(path)}${about}${notes}`
}

function toneOf(status: number): TextTone {
  if (status === 0 || status >= 500) return 'bad'
  return status >= 400 ? 'warning' : 'good'
}

const fullJournal = 'the journal is full, and gives up its oldest requests from now on'

/** The most bytes of the log that wait for its reader. */
const maxHeld = 2 ** 20

/** How long a line waits for others, in milliseconds. Readers do not notice so short a wait. */
const flushAfter = 20

export class RequestLog {
  readonly #clock = new Clock('real')
  readonly #stream: CommandContext['stderr']
  readonly #paint: Paint
  #simulator: Simulator | null = null
  #lines: string[] = []
  /** The time of the latest line, as it is shown. Many lines have the same */
  #time = { second: Number.NaN, text: '' }
  /** The limits that were reached: once is enough */
  readonly #said = new Set<string>()

  constructor({ stderr }: Pick<CommandContext, 'stderr'>) {
    this.#stream = stderr
    this.#paint = painter(stderr)
  }

  follow(simulator: Simulator): void {
    this.#simulator = simulator
    const once = (limit: string, notes: string[]) =>
      this.#said.has(limit) ? [] : this.#said.add(limit) && notes
    simulator.followWorlds(({ journal, state }, id) => {
      journal.followWritten((entry) => {
        const { target: path, status, keyName: key, record, remarks } = entry
        const { method, ms, failure } = record
        const isFull = failure?.details.status === 507
        const notes = isFull ? once('memory', remarks) : remarks
        if (state.journal.evictedCount > 0) notes.push(...once('journal', [fullJournal]))
        this.recorded({ method, path, status, ms, key, sandbox: id, notes })
      })
    })
  }

  /** What a server tells, as options of `listen`. */
  get listeners(): Pick<ListenOptions, 'onForward' | 'onNotFound'> {
    const hide = (url: string) => this.#simulator?.journal.redactUrl(url) ?? url
    return {
      onForward: ({ url, ...line }, refusal) => {
        const note = refusal === undefined ? 'forwarded' : `not forwarded: ${refusal}`
        this.recorded({ ...line, path: hide(url), notes: [note] })
      },
      onNotFound: (method, url) => this.notFound(method, hide(url)),
    }
  }

  /** Logs a mistake when it happens. The line of its request says what was ignored. */
  liveMistake(mistake: ClientMistake): void {
    if (mistake.rule !== 'ignored-input') this.mistake(mistake)
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
    this.recorded({ method, path, status: 404, notes: [note] })
  }

  /** Logs a request, such as one that a proxy recorded. @param at when it was sent, in milliseconds since 1970. By default now */
  recorded(request: LogLine, at: number = this.#clock.now()): void {
    this.#write(formatLogLine(this.#timeOf(at), request, this.#paint))
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

  #logEvent(text: string) {
    this.#write(`${this.#paint('faint', this.#timeOf(this.#clock.now()))} ${text}`)
  }

  /** The time of day. @param at in milliseconds since 1970 @example this.#timeOf(Date.now()) // '14:00:05' */
  #timeOf(at: number) {
    const second = Math.floor(at / 1_000)
    if (second !== this.#time.second)
      this.#time = { second, text: new Date(at).toTimeString().slice(0, 8) }
    return this.#time.text
  }

  /** Writes the lines that wait. They are lost if the stream already holds much that nobody reads. */
  flush(): void {
    const lines = this.#lines.splice(0)
    const { writableLength: held = 0 } = this.#stream as { readonly writableLength?: number }
    if (lines.length === 0 || held >= maxHeld) return
    this.#stream.write(lines.join(''))
  }

  /** Lines are written together soon afterwards: each write is a call of the system, and requests do not wait for it. */
  #write(line: string) {
    if (this.#lines.push(`${line}\n`) === 1) wait(flushAfter).then(() => this.flush())
  }
}

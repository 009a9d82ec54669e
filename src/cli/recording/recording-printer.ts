import type { Exchange } from '../../http/exchange.ts'
import type { CommandContext } from '../command-context.ts'
import { formatTextLine, type LoggedRequest, loggedRequestDefaults } from '../log/request-line.ts'
import { LineBuffer } from '../output/line-buffer.ts'
import { type Paint, painter } from '../output/paint.ts'
import type { RecordedExchange } from './recording-writer.ts'

/** The longest time that a line waits for others, in milliseconds. */
const maxDelay = 20

/** What a recording prints. */
export interface PrinterOptions {
  readonly target: string
  /** Whether only warnings are printed */
  readonly quiet?: boolean
  /** Whether stdout is one line of JSON, so that everything else goes to stderr */
  readonly json?: boolean
}

/** Prints the progress of a recording. */
export class RecordingPrinter {
  readonly paint: Paint
  readonly #target: string
  readonly #isQuiet: boolean
  readonly #lines: LineBuffer
  readonly #context: CommandContext

  constructor({ target, quiet = false, json = false }: PrinterOptions, context: CommandContext) {
    const stream = json ? context.stderr : context.stdout
    this.paint = painter(stream)
    this.#target = target
    this.#isQuiet = quiet
    this.#lines = new LineBuffer(stream, maxDelay)
    this.#context = context
  }

  /** Prints a line, a little later. */
  print(line: () => string): void {
    if (!this.#isQuiet) this.#lines.add(line)
  }

  /** Prints exchanges that were recorded, with their warnings. */
  recorded(exchanges: readonly RecordedExchange[]): void {
    for (const { exchange, warnings } of exchanges) {
      this.print(() => formatTextLine(toLoggedRequest(exchange, this.#target), this.paint))
      for (const warning of warnings) this.warn(warning)
    }
  }

  /** Prints a warning, after the lines that still wait. */
  warn(text: string): void {
    this.flush()
    this.#context.printError(text)
  }

  /** Prints the lines that wait. */
  flush(): void {
    this.#lines.flush()
  }
}

function toLoggedRequest(
  { at, ms, method, url, key, response }: Exchange,
  target: string,
): LoggedRequest {
  return {
    ...loggedRequestDefaults,
    time: at,
    method,
    path: url.slice(target.length),
    status: response.status,
    ms,
    key: key ?? null,
  }
}

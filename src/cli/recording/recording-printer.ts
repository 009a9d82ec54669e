import type { Exchange } from '../../http/exchange.ts'
import type { CommandContext } from '../command-context.ts'
import { formatTextLine, type LoggedRequest, loggedRequestDefaults } from '../log/request-line.ts'
import { LineBuffer } from '../output/line-buffer.ts'
import { type Paint, painter } from '../output/paint.ts'

/** What is printed. */
export interface PrinterOptions {
  readonly target: string
  /** Whether only what a recording leaves out is said */
  readonly quiet?: boolean
  /** One line of JSON stands on stdout alone: all else goes to stderr. */
  readonly json?: boolean
}

/** What a recording prints as it goes. */
export class RecordingPrinter {
  readonly paint: Paint
  readonly #target: string
  readonly #isQuiet: boolean
  readonly #lines: LineBuffer
  readonly #context: CommandContext

  constructor({ target, quiet = false, json = false }: PrinterOptions, context: CommandContext) {
    const stream = json ? context.stderr : context.stdout
    this.#context = context
    this.paint = painter(stream)
    this.#target = target
    this.#isQuiet = quiet
    this.#lines = new LineBuffer(stream)
  }

  /** Prints a line, a little later. */
  print(line: () => string): void {
    if (!this.#isQuiet) this.#lines.add(line)
  }

  /** Prints a request that was recorded. */
  request(exchange: Exchange): void {
    this.print(() => formatTextLine(toLoggedRequest(exchange, this.#target), this.paint))
  }

  /** Prints what is wrong, behind all that was said before. */
  warn(text: string): void {
    this.flush()
    this.#context.printError(text)
  }

  /** Prints what waits. */
  flush(): void {
    this.#lines.flush()
  }
}

function toLoggedRequest(
  { at, ms, method, url, key, answer }: Exchange,
  target: string,
): LoggedRequest {
  return {
    ...loggedRequestDefaults,
    time: at,
    method,
    path: url.slice(target.length),
    status: answer.status,
    ms,
    key: key ?? null,
  }
}

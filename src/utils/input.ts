import { constants } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { UsageError } from './errors.ts'
import { textOfFile } from './files.ts'
import { withoutByteOrderMark } from './json.ts'
import { parseJsonText, parseWrittenJson } from './json-file.ts'
import { formatCount } from './text.ts'

/** How a command line names stdin. A shell gives `<(…)` a name of its own, which is read as a file. */
const stdinNames = ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']

export function isStdin(file: string): boolean {
  return stdinNames.includes(file)
}

/** How messages name a file of the command line. */
export function nameOfFile(file: string): string {
  return isStdin(file) ? 'stdin' : file
}

/** What a command read of a file. A pipe has its bytes only once, so that what needs them twice shares them. */
export class Input {
  readonly name: string
  #bytes: Buffer<ArrayBuffer>
  /** Whether it is stdin or another pipe, which has no name to derive others from, and cannot be written */
  readonly isPipe: boolean

  constructor(name: string, bytes: Buffer<ArrayBuffer>, isPipe: boolean) {
    this.name = name
    this.#bytes = bytes
    this.isPipe = isPipe
  }

  get bytes(): Buffer<ArrayBuffer> {
    return this.#bytes
  }

  /** By which its kind is recognized. It can be no text at all. */
  get beginning(): string {
    return withoutByteOrderMark(this.bytes.toString('utf8', 0, 4_096))
  }

  /** Without a byte order mark. @throws UsageError if it is not UTF-8 */
  get text(): string {
    return textOfFile(this.bytes, this.name)
  }

  /** Parses it as JSON that people write, anew each time. @throws UsageError */
  json(): unknown {
    return parseWrittenJson(this.text, this.name, this.advise())
  }

  /** Parses it as JSON that a program wrote, once: it can be large. @param advice what to do about a file of invalid JSON @throws UsageError */
  archive(advice: string): unknown {
    const { text, name } = this
    const cure = this.advise(advice)
    this.#bytes = Buffer.alloc(0)
    return parseJsonText(text, name, cure)
  }

  /** What to do about invalid JSON: a pipe can have ended early. @param advice about a file */
  advise(advice = ''): string {
    if (!this.isPipe) return advice
    return `It has ${formatCount(this.bytes.length, 'byte')}. Check the command that writes it.`
  }
}

/** JSON that a variable has in place of the name of a file. Undefined for a name */
export function inlineInput(variable: string, value: string): Input | undefined {
  return value.startsWith('{') ? new Input(variable, Buffer.from(value), false) : undefined
}

/** Reads all of a file, a pipe or stdin. @throws Error with Node's code */
export async function readInput(
  file: string,
  openStdin: () => NodeJS.ReadableStream,
): Promise<Input> {
  if (isStdin(file)) return new Input('stdin', await readAll('stdin', openStdin()), true)
  if ((await stat(file)).isFile()) return new Input(file, await readFile(file), false)
  return new Input(file, await readAll(file, createReadStream(file)), true)
}

/** Reads what can have no end, such as a device. Node has no longer texts. */
async function readAll(name: string, stream: NodeJS.ReadableStream) {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length <= constants.MAX_STRING_LENGTH) continue
    const size = Math.floor(constants.MAX_STRING_LENGTH / 2 ** 20)
    throw new UsageError(`${name} has more than ${size} MiB. Choose a smaller file.`)
  }
  return Buffer.concat(chunks)
}

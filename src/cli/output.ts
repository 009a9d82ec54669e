import { openSync, rmSync, statSync, writevSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import process from 'node:process'
import type { SingleBar } from 'cli-progress'
import { formatCount } from '../utils/count.ts'
import { isObject, tryParseJson } from '../utils/json.ts'
import { UsageError } from '../utils/usage-error.ts'
import { wait } from '../utils/wait.ts'
import type { Output } from './command-context.ts'

export { formatCount }

/** The names of rows that differ from their lists. */
const rowNames: Readonly<Record<string, string>> = {
  dashboard_items: 'dashboard item',
  plugin_configs: 'plugin configuration',
  activity: 'activity entry',
}

/** Formats the numbers of rows of a world. @example formatRowCounts({ projects: 2, activity: 1 }) // '2 projects, 1 activity entry' */
export function formatRowCounts(rows: Readonly<Record<string, number>>): string {
  const texts = Object.entries(rows).map(([list, count]) =>
    formatCount(count, rowNames[list] ?? list.replace(/s$/, '')),
  )
  return texts.length === 0 ? 'no rows' : texts.join(', ')
}

/** Collects lines and prints them together, because each write wakes the reader up. */
export class LineBuffer {
  readonly #stream: Pick<Output, 'write'>
  readonly #delay: number
  #lines: (() => string)[] = []

  /** @param delay the longest time that a line waits, in milliseconds; 0 prints the lines of one turn together */
  constructor(stream: Pick<Output, 'write'>, delay: number) {
    this.#stream = stream
    this.#delay = delay
  }

  /** Adds a line. Its text is created when it is printed. */
  add(line: () => string): void {
    this.#lines.push(line)
    if (this.#lines.length > 1) return
    if (this.#delay === 0) setImmediate(() => this.flush())
    else void wait(this.#delay).then(() => this.flush())
  }

  flush(): void {
    const lines = this.#lines
    if (lines.length === 0) return
    this.#lines = []
    this.#stream.write(lines.map((line) => `${line()}\n`).join(''))
  }
}

/** A file that a command writes. */
interface OutputFile {
  readonly flag: string
  readonly file: string | undefined
  /** What an earlier file must be. Any, if it has no kind */
  readonly kind?: keyof typeof replaceable
}

/**
 * Checks the files that a command writes, before it runs: no two are the same, none is one that it reads, and earlier
 * ones are of the same kind.
 *
 * @throws UsageError
 */
export async function checkOutputs(
  reads: readonly string[],
  writes: readonly OutputFile[],
  force?: boolean,
): Promise<void> {
  const checked: { flag: string; file: string }[] = []
  for (const { flag, file } of writes) {
    if (file === undefined) continue
    if (reads.some((read) => isSameFile(read, file))) {
      throw new UsageError(`${flag} names ${file}, which the command reads. Choose another file.`)
    }
    const same = checked.find((other) => isSameFile(other.file, file))
    if (same) {
      throw new UsageError(
        `${same.flag} and ${flag} name the same file, ${same.file}. Choose two files.`,
      )
    }
    checked.push({ flag, file })
  }
  for (const { file, kind } of writes) {
    if (file !== undefined && kind) await checkReplaceable(file, kind, force)
  }
}

/** Whether two paths lead to one file, also through a link. A device such as a terminal can be read and written. */
function isSameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((file) => {
    try {
      return statSync(file, { bigint: true })
    } catch {
      return null
    }
  })
  if (!one || !other) return resolve(a) === resolve(b)
  return one.isFile() && other.isFile() && one.dev === other.dev && one.ino === other.ino
}

/** Checks that a file does not exist, is empty, or is of the kind that the command writes. @throws UsageError */
export async function checkReplaceable(
  file: string,
  kind: keyof typeof replaceable,
  force = false,
): Promise<void> {
  // A device or a pipe has no earlier content.
  if (force || isSpecial(file)) return
  const text = await readFile(file, 'utf8').catch(textOfUnreadable)
  const { name, isOurs } = replaceable[kind]
  if (text.trim() === '' || isOurs(text)) return
  throw new UsageError(
    `${file} already exists, and is not ${name}. Choose another name, or overwrite it with --force.`,
  )
}

function isSpecial(file: string): boolean {
  try {
    return !statSync(file).isFile()
  } catch {
    return false
  }
}

const replaceable = {
  scenario: { name: 'a scenario', isOurs: hasField('steps', Array.isArray) },
  archive: { name: 'an archive of understudy-api', isOurs: isArchive },
  neighbours: { name: 'a file of neighbours', isOurs: hasField('responses', isObject) },
  receipt: { name: 'a receipt', isOurs: hasField('runs', Array.isArray, 'understudy') },
  policies: { name: 'a policy file', isOurs: hasField('policies', isObject, 'open') },
  drift: { name: 'a report of drift', isOurs: isDriftReport },
  observation: { name: 'a report of observe', isOurs: isObservation },
  replay: { name: 'a report of replay', isOurs: isReplayReport },
} as const

/** A file that cannot be read fails when it is written. Any other, such as one that is too large, is not overwritten. */
function textOfUnreadable({ code }: NodeJS.ErrnoException): string {
  return ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM'].includes(code ?? '') ? '' : 'too large'
}

/** Whether a text is a JSON object with a field, and with another one of any value. */
function hasField(
  name: string,
  test: (value: unknown) => boolean,
  other = name,
): (text: string) => boolean {
  return (text) => {
    const value = tryParseJson(text)?.value
    return isObject(value) && test(value[name]) && other in value
  }
}

/** A report has the form that the extension of its file says. */
function isDriftReport(text: string): boolean {
  const isText = /^# Drift: |<title>Drift: |<testsuites name="understudy drift"/.test(text)
  const isSarif = text.includes('"commandLine": "understudy drift ')
  const isSummary = /(^|\n)With the profile .*\n$/.test(text)
  return isText || isSarif || isSummary || hasField('contradictions', Array.isArray)(text)
}

function isObservation(text: string): boolean {
  const isText =
    /^# The policies of a server|<title>The policies of a server|\n {2}this server {4}/.test(text)
  return isText || hasField('findings', Array.isArray, 'requests')(text)
}

function isReplayReport(text: string): boolean {
  if (/<title>Replay: |<testsuites name="understudy replay"/.test(text)) return true
  const files = tryParseJson(text)?.value
  return Array.isArray(files) && files.every((file) => isObject(file) && 'accepted' in file)
}

/** An archive may be too large to parse. */
function isArchive(text: string): boolean {
  return /^\s*\{\s*"log":\s*\{.{0,200}?"name":\s*"understudy-api"/s.test(text.slice(0, 500))
}

/** Creates a file for its owner only, because it can contain secrets. A file or a link at its name is removed. */
export function createSync(file: string): number {
  rmSync(file, { force: true })
  return openSync(file, 'wx', 0o600)
}

export function writeAll(descriptor: number, buffers: readonly Buffer[], start: number): void {
  const whole = buffers.length < 512 ? buffers : [Buffer.concat(buffers)]
  const written = writevSync(descriptor, whole as Buffer[], start)
  if (written === whole.reduce((sum, buffer) => sum + buffer.length, 0)) return
  writeAll(descriptor, [Buffer.concat(whole).subarray(written)], start + written)
}

export interface ProgressBar {
  update(done: number): void
  stop(): void
}

/**
 * Creates a progress bar. It is hidden if the stream is no terminal, and if CI is set. Nothing else may be written to
 * the stream until the bar stops. Work that takes less than `delay` milliseconds shows no bar.
 */
export async function startProgressBar(
  label: string,
  total: number,
  stream: Output,
  delay = 250,
): Promise<ProgressBar> {
  if (!isInteractive(stream)) return hiddenProgressBar
  // esbuild gives `import()` of a CommonJS package only its default export if it splits the bundle
  // (https://github.com/evanw/esbuild/issues/3245).
  const { SingleBar, Presets } = (await import('cli-progress')).default
  const startedAt = performance.now()
  let bar: SingleBar | null = null
  return {
    update(done) {
      if (bar) return bar.update(done)
      if (performance.now() - startedAt < delay) return
      const format = `${label} {bar} {percentage} %`
      // Without its own handler for Ctrl-C, and with line wrap, the terminal stays usable after an interrupt.
      const terminal = { clearOnComplete: true, linewrap: true, gracefulExit: false }
      bar = new SingleBar({ format, stream, barsize: 30, ...terminal }, Presets.shades_classic)
      bar.start(total, done)
    },
    stop() {
      bar?.stop()
      bar = null
    },
  }
}

/** A bar that is never shown. */
export const hiddenProgressBar: ProgressBar = { update() {}, stop() {} }

function isInteractive({ isTTY }: Output): boolean {
  const { CI, TERM } = process.env
  const isCi = CI !== undefined && !/^(0|false|)$/i.test(CI)
  return isTTY === true && !isCi && TERM !== 'dumb'
}

import { Writable } from 'node:stream'
import { WriteStream } from 'node:tty'
import { expect } from 'vitest'

/** How a command ended. */
export interface CommandResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** How a command ends that was used wrong: it prints nothing but what is wrong. */
export const badUse = (stderr: string) => ({ code: 2, stdout: '', stderr })

/** A stream that collects its output as text. */
export class TextOutput extends Writable {
  text = ''

  constructor() {
    super({ decodeStrings: false })
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.text += chunk
    done()
  }
}

/** A stream that looks like a terminal. */
export class TerminalOutput extends TextOutput {
  readonly isTTY = true
  readonly columns = 80
  readonly getColorDepth: () => number = WriteStream.prototype.getColorDepth
}

/** The environment without the variables that decide what a command prints. */
export function cleanEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isDeciding(name)))
}

/** Whether a variable decides what a command prints. */
export function isDeciding(name: string): boolean {
  return /^(UNDERSTUDY_|FORCE_COLOR$|NO_COLOR$|CI$|(HTTP|ALL|NO)_PROXY$)/i.test(name)
}

/** No command prints a stack, however it ends. */
export function expectNoStack({ stdout, stderr }: CommandResult): void {
  expect(stdout + stderr).not.toMatch(/^\s+at .*[:(]/m)
}

/** The lines of a request log, without the times that differ from run to run. */
export function withoutTimes(log: string): string {
  return log.replace(/^\d\d:\d\d:\d\d /gm, '').replace(/ [\d.]+ ms/g, '')
}

import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { bin, cleanEnvironment } from './command.ts'

/** Runs a command of ours in a terminal of its own. @returns all that the terminal gets */
export function inTerminal(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  behind = '',
): Promise<string> {
  const line = [process.execPath, bin, ...args].map((part) => `'${part}'`).join(' ') + behind
  const env = { ...cleanEnvironment(), TERM: 'xterm-256color', ...variables }
  return outputOf(spawn('script', ['-qec', line, '/dev/null'], { env }))
}

function outputOf(child: ReturnType<typeof spawn>): Promise<string> {
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (part) => (text += part))
  onTestFinished(() => void child.kill('SIGKILL'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(text))
  })
}

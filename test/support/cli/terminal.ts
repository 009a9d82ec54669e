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

/**
 * Types keys into a shell, in a terminal of its own.
 *
 * @param steps each one is typed when what stands before it has come
 * @returns all that the terminal gets
 */
export function typed(
  shell: string,
  steps: readonly (readonly [after: RegExp, keys: string])[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<string> {
  const env = { ...cleanEnvironment(), TERM: 'xterm', ...options.env }
  const child = spawn('script', ['-qec', shell, '/dev/null'], { cwd: options.cwd, env })
  const left = [...steps]
  let seen = ''
  child.stdout.on('data', (bytes) => {
    seen += bytes
    const [next] = left
    if (!next?.[0].test(seen)) return
    left.shift()
    seen = ''
    child.stdin.write(next[1])
  })
  return outputOf(child)
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

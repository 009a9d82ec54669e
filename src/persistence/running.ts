import { readFile } from 'node:fs/promises'
import process from 'node:process'

/** Whether there is a process of this number. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

/**
 * When a process began, to tell it from a later one of the same number: in ticks since the machine did. Empty where
 * the system does not tell, or when it has ended.
 */
export async function processStartTime(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // Before the last bracket stands its name, which may hold anything.
  const [state = '', ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return /[ZX]/.test(state) ? '' : (rest[18] ?? '')
}

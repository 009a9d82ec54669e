import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished, vi } from 'vitest'

/** Replaces functions of `node:fs/promises`, also for modules that import them by name, until the test ends. */
export function replaceFs(functions: Partial<typeof fs>): void {
  const originals = { ...fs }
  const replace = (all: Partial<typeof fs>) => {
    Object.assign(fs, all)
    syncBuiltinESMExports()
  }
  replace(functions)
  onTestFinished(() => replace(originals))
}

/**
 * Adds running processes to those of the system, until the test ends.
 *
 * @param stats by id, the content of `/proc/ID/stat`, or null for a system without `/proc`
 */
export function addProcesses(stats: Readonly<Record<number, string | null>>): void {
  const { readFile } = fs
  const kill = process.kill.bind(process)
  const spy = vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    return pid in stats ? true : kill(pid, signal)
  })
  onTestFinished(() => spy.mockRestore())
  const readStat = async (...args: Parameters<typeof readFile>) => {
    const stat = stats[Number(/^\/proc\/(\d+)\/stat$/.exec(String(args[0]))?.[1])]
    if (stat === null) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    return stat ?? readFile(...args)
  }
  replaceFs({ readFile: readStat as typeof readFile })
}

/** The content of `/proc/ID/stat` of a process that started at 77. */
export function processStat(state: string, { name = 'node', threads = 1, start = '77' } = {}) {
  return `5000000 (${name}) ${state} ${'0 '.repeat(16)}${threads} 0 ${start} 0 0`
}

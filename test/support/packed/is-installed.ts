import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Whether a command exists, a command line succeeds, or a path leads to a file. */
export function isInstalled(name: string): boolean {
  if (name.startsWith('/')) return existsSync(name)
  const [command = '', ...args] = name.split(' ')
  return args.length > 0 ? spawnSync(command, args).status === 0 : !spawnSync(command).error
}

import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'

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

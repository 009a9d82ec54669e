import { execFileSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './files.ts'

/** Takes the threads that Node has for files and zlib: opening a pipe waits for its writer. @returns what frees them */
export function takeThreads(): () => void {
  const pipe = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const readers = Array.from({ length: Number(process.env.UV_THREADPOOL_SIZE ?? 4) }, () =>
    open(pipe, 'r'),
  )
  let writer: number | undefined
  const free = () => {
    writer ??= openSync(pipe, 'r+')
  }
  onTestFinished(async () => {
    free()
    for (const reader of readers) await (await reader).close()
    closeSync(Number(writer))
  })
  return free
}

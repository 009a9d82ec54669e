// How much memory this process needs, once what is not needed is let go: run with --expose-gc.
import { setTimeout as sleep } from 'node:timers/promises'

/** Bytes: of the whole process, and of what its objects and buffers take. */
export async function settled() {
  for (let round = 0; round < 4; round++) {
    globalThis.gc()
    await sleep(50)
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { resident: rss, heap: heapUsed + external }
}

export function inMiB({ resident, heap }) {
  const rounded = (bytes) => Math.round(bytes / 1024 ** 2)
  return `${rounded(resident)} MiB resident (${rounded(heap)} MiB of it objects)`
}

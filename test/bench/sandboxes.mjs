// What a sandbox costs: going back and beginning at any size of the world, and memory for a thousand of them.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createSimulator } from '../../dist/index.js'
import { atMost, line, one, summary, timesOf } from './measure.mjs'
import { worldOf } from './worlds.mjs'

const rounds = 500
const sizes = [1_000, 100_000]

export function sandboxes() {
  console.log('\nSandboxes')
  return [...beginning(), ...keeping()].every(Boolean)
}

/** Each at every size, in turn, and how much the largest world costs more than the smallest. */
function beginning() {
  const worlds = sizes.map((size) => operationsOf(size))
  const names = Object.keys(worlds[0]).filter((name) => name !== 'write')
  return names.flatMap((what) => {
    const times = worlds.map(() => [])
    for (let round = -100; round < rounds; round++) {
      for (const [index, { write, [what]: run }] of worlds.entries()) {
        write(round)
        const [milliseconds] = timesOf(1, run)
        if (round >= 0) times[index].push(milliseconds)
      }
    }
    const lines = times.map((time, index) =>
      line(
        `${what} at ${sizes[index].toLocaleString('en')}`,
        summary(time),
        'ms',
        atMost(1, ' ms'),
      ),
    )
    const ratios = times.at(-1).map((large, round) => large / times[0][round])
    return [...lines, line(`${what}: largest against smallest`, summary(ratios), '×', atMost(3))]
  })
}

/** What is timed, and the write that comes before it. */
function operationsOf(size) {
  const simulator = createSimulator({ world: worldOf(size), journal: { entries: 0 } })
  const start = simulator.snapshot()
  const writeTo = ({ world }, round) =>
    world.annotations.update((((round + 100) * 7919) % size) + 1, { content: `${round}` })
  return {
    write: (round = 0) => writeTo(simulator, round),
    fork: () => simulator.fork(),
    'fork and write': () => writeTo(simulator.fork(), 0),
    reset: () => simulator.reset(),
    restore: () => simulator.restore(start),
    'begin and end': () => simulator.sandboxes.delete(simulator.sandboxes.create().id),
  }
}

function keeping() {
  const [writes, pages] = [keep('writes'), keep('pages')]
  const perWrite = (mebibytes) => one((mebibytes * 1024) / writes.count)
  return [
    line('resident memory of one idle', perWrite(writes.idle.resident), 'KiB', atMost(10, ' KiB')),
    line('heap of one idle', perWrite(writes.idle.heap), 'KiB', atMost(10, ' KiB')),
    line('resident, 1,000 with ten writes', one(writes.used.resident), 'MiB', atMost(130, ' MiB')),
    line('heap, 1,000 with ten writes', one(writes.used.heap), 'MiB', atMost(130, ' MiB')),
    line('resident, 10,000 with a page', one(pages.used.resident), 'MiB', atMost(250, ' MiB')),
    // Up to 64 of them are the pages that the cache keeps for the next reader.
    line('resident, when these ended', one(pages.ended.resident), 'MiB', atMost(80, ' MiB')),
  ]
}

/** In a process of its own, which does nothing else. */
function keep(load) {
  const file = fileURLToPath(new URL('keep-sandboxes.mjs', import.meta.url))
  const options = { encoding: 'utf8' }
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', file, load], options))
}

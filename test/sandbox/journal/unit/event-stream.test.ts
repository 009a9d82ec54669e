import { expect, test } from 'vitest'
import { StreamNotifier, streamEvents } from '../../../../src/sandbox/journal/event-stream.ts'
import {
  Journal,
  type JournalLimits,
  type JournalRecord,
} from '../../../../src/sandbox/journal/journal.ts'
import { Emitter, type SandboxEvents } from '../../../../src/sandbox/sandbox.ts'
import type { AsyncQueue } from '../../../../src/utils/async-queue.ts'

const response = { status: 200, headers: {}, body: null }

function sourceOf(limits: JournalLimits = {}) {
  return { journal: new Journal(limits), events: new Emitter<SandboxEvents>(() => {}) }
}

type Source = ReturnType<typeof sourceOf>

/** Adds records with these ids, in the order of their responses. */
function addRecords({ journal, events }: Source, ids: readonly number[]): void {
  for (const id of ids) {
    journal.lastId = Math.max(journal.lastId, id)
    const fields = { target: '', requestHeaders: { bytes: 0 }, requestBody: null, fault: null }
    const record = { id, ...fields, response, changes: [] } as never
    journal.add(record)
    events.emit('response', record)
  }
}

/** Streams a journal, with turns that the test gives. Each entry is its id, padded to a length. */
function openStream(source: Source, after: number | null, length = 0) {
  const waiting: AsyncQueue[] = []
  const notifier = { isTurn: false, add: (queue: AsyncQueue) => waiting.push(queue) }
  const render = ({ id }: JournalRecord) => `${id} `.padEnd(length, '.')
  const queue = streamEvents(source, render, after, notifier as unknown as StreamNotifier)
  const chunks: string[] = []
  const read = async () => {
    const { value } = await queue.next()
    chunks.push(value ? new TextDecoder().decode(value) : 'end')
  }
  const turn = async (): Promise<void> => {
    notifier.isTurn = true
    await read()
    notifier.isTurn = false
  }
  return { queue, read, turn, chunks, waiting }
}

const head = (id: number) => `: the journal, an event for each entry\nid: ${id}\n\n`
const missed = (entries: number) => `event: missed\ndata: {"entries":${entries}}\n\n`

test.each<[after: number | null, ids: number[], id: number, text: string]>([
  [null, [1, 2, 3], 3, '9 '],
  [null, [2, 1], 1, '9 '],
  [3, [1, 2, 3], 3, '9 '],
  [2, [1, 2, 3], 2, '3 9 '],
  [0, [1, 2], 0, '1 2 9 '],
  [1, [2, 1, 3], 1, '3 9 '],
  [2, [2, 1, 3], 2, '1 3 9 '],
  [1, [1, 2, 3, 4], 1, '2 3 4 9 '],
  [0, [1, 2, 3, 4], 0, `${missed(1)}2 3 4 9 `],
  [1, [1, 2, 3, 4, 5, 6], 1, `${missed(2)}4 5 6 9 `],
  [7, [1, 2, 3], 7, '9 '],
  [7, [], 7, '9 '],
])(
  'after entry %j of %j, a stream begins with the id %i, then it has: %j',
  async (after, ids, id, text) => {
    const source = sourceOf({ entries: 4 })
    addRecords(source, ids)
    const { read, turn, chunks } = openStream(source, after)

    await read()
    addRecords(source, [9])
    await turn()

    expect(chunks).toEqual([head(id), text])
  },
)

test('a stream begins with the last id only if that request has a response, also after the journal is cleared', async () => {
  const source = sourceOf()
  const idOf = async () => {
    const { read, chunks, queue } = openStream(source, null)
    await read()
    queue.end()
    return chunks[0]
  }

  source.journal.nextId()
  const heads = [await idOf()]
  addRecords(source, [1])
  source.journal.nextId()
  heads.push(await idOf())
  source.journal.clear()
  heads.push(await idOf())

  expect(heads).toEqual([head(0), head(1), head(2)])
})

test('a slow reader is told how many entries it missed since the last ones, each time', async () => {
  const source = sourceOf({ entries: 2 })
  const { read, turn, chunks } = openStream(source, null)
  await read()

  for (const ids of [[1], [2, 3, 4, 5], [6, 7], [8, 9, 10]]) {
    addRecords(source, ids)
    await turn()
  }

  expect(chunks.slice(1)).toEqual(['1 ', `${missed(2)}4 5 `, '6 7 ', `${missed(1)}9 10 `])
})

test.each([
  [8_191, [3]],
  [8_192, [2, 1]],
  [16_383, [2, 1]],
  [16_384, [1, 1, 1]],
])('three entries of %i characters are sent in chunks of %j', async (length, counts) => {
  const source = sourceOf()
  addRecords(source, [1, 2, 3])
  const { read, turn, chunks } = openStream(source, 0, length)

  await read()
  for (const _ of counts) await turn()

  expect(chunks.slice(1).map((chunk) => chunk.length)).toEqual(
    counts.map((count) => count * length),
  )
})

/** Notes which streams are notified in one turn, and whether they may read then. */
function watchTurns(notifier: StreamNotifier) {
  const turns: string[][] = [[]]
  const stream = (name: string, onNotify = () => {}) =>
    ({
      notify() {
        turns.at(-1)?.push(`${name}${notifier.isTurn ? '' : ' not'}`)
        onNotify()
        queueMicrotask(() => void (turns.at(-1)?.length && turns.push([])))
      },
    }) as AsyncQueue
  return { stream, turns: () => turns.slice(0, -1) }
}

test('four streams are notified in a turn, each of them once, and again if they are added again', async () => {
  const notifier = new StreamNotifier()
  const { stream, turns } = watchTurns(notifier)
  const again = stream('e')
  const names = ['b', 'c', 'd']
  const first = stream('a', () => notifier.add(again))
  for (const each of [first, ...names.map((name) => stream(name)), again, again, stream('f')])
    notifier.add(each)
  const atOnce = [turns(), notifier.isTurn]

  await expect.poll(() => turns().flat()).toHaveLength(6)
  notifier.add(again)
  await expect.poll(() => turns().flat()).toHaveLength(7)

  expect(atOnce).toEqual([[], false])
  expect(turns()).toEqual([['a', 'b', 'c', 'd'], ['e', 'f'], ['e']])
  expect(notifier.isTurn).toBe(false)
})

import { StreamedBody } from '../../http/messages.ts'
import { encodeText } from '../../utils/async-queue.ts'
import { JsonText } from '../../utils/json-text.ts'
import { nextTurn } from '../../utils/wait.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import { exportWorldText } from '../../world/load/export-world.ts'
import { forkTables } from '../../world/table/tables.ts'
import type { WorldJson } from '../../world/world-json.ts'

/** Writes the world of this moment as JSON. A large world is a stream, which lets other requests run. */
export function writeWorld(loaded: LoadedWorld): JsonText<WorldJson> | StreamedBody<WorldJson> {
  const fork = { ...loaded, tables: forkTables(loaded.tables) }
  const texts = exportWorldText(fork, '')
  const first = texts.next().value
  const second = texts.next()
  if (second.done) return new JsonText(first)
  return new StreamedBody('application/json', encodeInSlices([first, second.value], texts))
}

/** Each chunk takes less than a millisecond. A client that reads slowly delays the next one. */
async function* encodeInSlices(
  start: readonly string[],
  rest: Iterable<string>,
): AsyncGenerator<Uint8Array> {
  for (const text of start) yield encodeText(text)
  for (const text of rest) {
    await nextTurn()
    yield encodeText(text)
  }
}

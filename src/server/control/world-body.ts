import {
  constantRule,
  mediaTypeOf,
  ndjsonType,
  parseBody,
  toParseFailure,
} from '../../http/body.ts'
import { Failure } from '../../http/failures.ts'
import type { BodySchema } from '../../http/fields/body-fields.ts'
import { isChunked, isOmitted, StreamedBody } from '../../http/messages.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { encodeText } from '../../utils/async-queue.ts'
import { JsonText, maxTextLength } from '../../utils/json.ts'
import { decodeUtf8Body, parseJson } from '../../utils/python/parse-json.ts'
import { unknownWord } from '../../utils/usage-error.ts'
import { finishBetweenEvents, nextTurn } from '../../utils/wait.ts'
import type { BuiltInWorld, LoadedWorld } from '../../world/load/build-world.ts'
import { fixtureNames, isBuiltInWorld } from '../../world/load/built-in-worlds.ts'
import { checkRows } from '../../world/load/checked-rows.ts'
import { exportWorldText } from '../../world/load/export-world.ts'
import { loadWorldInSteps, openWorld } from '../../world/load/load-world.ts'
import { createRowParser } from '../../world/load/mixed-rows.ts'
import { readWorld } from '../../world/load/read-world.ts'
import { WorldLinesReader } from '../../world/load/world-lines.ts'
import {
  type WorldReader,
  type WorldTextOptions,
  WorldTextReader,
} from '../../world/load/world-text.ts'
import { writtenWorldSchema } from '../../world/schema/world-schema.ts'
import { forkTables } from '../../world/table/tables.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { createPause, type OperationInput, uncheckedBody } from './operation.ts'

/** A whole world in the format of fixtures. Loading it reports every issue. */
export const worldBody: BodySchema<WorldJson> = uncheckedBody(writtenWorldSchema())

type WorldInput = Pick<
  OperationInput<unknown, unknown, WorldJson>,
  'header' | 'settings' | 'rawBody'
>

/**
 * Loads the world in the body of a request, between other requests, and fills the lists that it leaves to the factories.
 *
 * @throws UsageError with every issue of the world
 * @throws Failure for a body that is no JSON
 */
export async function loadWorldBody(
  input: WorldInput,
  simulator: SimulatorBase,
): Promise<LoadedWorld> {
  const world = await withGeneratedRows(await readFixture(await readBody(input)))
  const policies = simulator.sandbox.policyTracker.untracked
  if (typeof world === 'string') return openWorld(world, policies)
  return finishBetweenEvents(loadWorldInSteps(world, policies))
}

/** Reads a fixture that is named in place of a world. The built-in ones are no files. */
async function readFixture(world: WorldJson | string): Promise<WorldJson | BuiltInWorld> {
  if (typeof world === 'object' && world !== null) return world
  if (!fixtureNames.includes(world)) {
    const expected = `one of ${fixtureNames.join(', ')}, or a world as JSON`
    throw unknownWord('find the world', fixtureNames, world, null, expected)
  }
  return isBuiltInWorld(world) ? world : readWorld(world)
}

/** The factories load on demand. */
async function withGeneratedRows(
  world: WorldJson | BuiltInWorld,
): Promise<WorldJson | BuiltInWorld> {
  if (typeof world === 'string' || !world.generate) return world
  const { generateChecked } = await import('../../world/factories/generate.ts')
  return finishBetweenEvents(generateChecked(world))
}

/** In bytes. A smaller body is parsed at once, which takes a few milliseconds. */
const smallSize = 1_048_576

async function readBody(input: WorldInput): Promise<WorldJson> {
  const { settings } = input
  const headers = { get: (name: string) => input.header(name) }
  const parse = (body: Uint8Array) => parseBody({ body, headers }, settings).value as WorldJson
  const isUtf8 = !/;\s*charset=(?!"?utf-?8)/i.test(input.header('content-type') ?? '')
  const parts: Uint8Array[] = []
  const hasLines = mediaTypeOf({ headers }) === ndjsonType
  let reader: WorldReader | null = hasLines ? new WorldLinesReader(optionsOf(settings)) : null
  let size = 0
  const pause = createPause()
  try {
    for await (const chunk of chunksOf(input)) {
      size += chunk.length
      if (size > maxTextLength) throw new Failure('body_too_large')
      parts.push(chunk)
      if (!reader && size > smallSize && isUtf8) {
        // Throws for another media type.
        parse(encodeText('{}'))
        reader = new WorldTextReader(optionsOf(settings))
      }
      if (!reader) continue
      for (const part of parts.splice(0)) {
        reader.push(part)
        await pause()
      }
    }
    return reader ? (reader.end() as WorldJson) : parse(Buffer.concat(parts))
  } catch (error) {
    throw toParseFailure(error)
  }
}

/** A transport can have read the body before. */
async function* chunksOf({ rawBody = null }: WorldInput): AsyncGenerator<Uint8Array, undefined> {
  if (isOmitted(rawBody)) throw new Failure('body_too_large')
  if (isChunked(rawBody)) yield* rawBody
  else if (rawBody !== null) {
    yield typeof rawBody === 'string' ? encodeText(rawBody) : rawBody
  }
}

/** The rules of `parseBody`. */
function optionsOf(settings: WorldInput['settings']): WorldTextOptions {
  const onConstant = constantRule(settings)
  return {
    decode: decodeUtf8Body,
    parse: (text) => parseJson(text, onConstant).value,
    onConstant,
    checkRows,
    parseRows: createRowParser(),
  }
}

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

import { findWorldIssues } from '../load/load-world.ts'
import { worldLists } from '../table/lists.ts'
import type { CountedList, WorldJson } from '../world-json.ts'
import type { ListName, PartialRow } from './partial-rows.ts'
import { checkPartialWorld, generateError, type PartialWorldJson } from './partial-rows.ts'
import { checkSeed, defaultNow, defaultSeed, parseNow, RowGenerator } from './row-generator.ts'

/** How a world is filled. */
export interface GenerateOptions {
  /** What all that is generated follows from; by default the world's own seed, else 1. */
  readonly seed?: number
  /** Told now and then how many of the rows that `generate` counts are made, and of how many. */
  readonly onProgress?: (made: number, of: number) => void
}

/** Without a row of each of these, a world cannot be asked for anything. */
const requiredLists: readonly ListName[] = ['organizations', 'projects', 'users', 'keys']

/**
 * Fills a world: what rows leave out gets a believable default, and the rows that `generate` counts are added,
 * spread over what is there. Given fields stay as they are; a world that leaves out organizations, projects,
 * users or keys gets one. The same world and seed give the same rows in each run.
 *
 * @throws UsageError with every fault of the world, each with its path
 * @example createSimulator({ world: generate({ generate: { annotations: 5000 } }, { seed: 7 }) })
 */
export function generate(world: PartialWorldJson, options: GenerateOptions = {}): WorldJson {
  const { $schema, generate: counts = {}, ...given } = checkPartialWorld(world)
  const seed = options.seed ?? given.seed
  const now = given.now ?? defaultNow
  const maker = new RowGenerator({
    seed: checkSeed(seed ?? defaultSeed),
    now: parseNow(now),
    nextIds: firstFreeIds(given),
  })
  const tell = createProgressReporter(counts, options.onProgress)
  for (const list of worldLists) {
    const rows: readonly PartialRow<ListName>[] | undefined = given[list]
    for (const row of rows ?? []) maker.create(list, row)
    const of = list in counts ? (counts[list as keyof typeof counts] ?? 0) : 0
    for (let index = 0; index < of; index++) {
      maker.create(list, {}, { index, of })
      tell()
    }
    const isMissing = rows === undefined && maker.rows[list].length === 0
    if (isMissing && requiredLists.includes(list)) maker.create(list, {})
  }

  const filled: WorldJson = {
    ...($schema !== undefined && { $schema }),
    ...(given.format_version !== undefined && { format_version: given.format_version }),
    now,
    ...(seed !== undefined && { seed }),
    ...(given.next_ids && { next_ids: maker.nextIds(Object.keys(given.next_ids)) }),
    ...(given.issued_keys !== undefined && { issued_keys: given.issued_keys }),
    ...Object.fromEntries(worldLists.filter(isThere).map((list) => [list, maker.rows[list]])),
  }
  const faults = findWorldIssues(filled)
  if (faults.length > 0) throw generateError(faults)
  return filled

  function isThere(list: ListName): boolean {
    return given[list] !== undefined || maker.rows[list].length > 0
  }
}

/** To be called for each row: tells of every hundredth. */
function createProgressReporter(
  counts: NonNullable<PartialWorldJson['generate']>,
  onProgress: GenerateOptions['onProgress'],
): () => void {
  if (!onProgress) return () => {}
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  let made = 0
  return () => {
    made += 1
    if (made % 100 === 0 || made === all) onProgress(made, all)
  }
}

/** Behind the highest id that is written by hand, and not before what the world reserves. */
function firstFreeIds({ next_ids = {}, ...lists }: PartialWorldJson): { [list: string]: number } {
  return Object.fromEntries(
    worldLists.map((list) => {
      let next = Math.max(1, next_ids[list as CountedList] ?? 1)
      for (const { id } of (lists[list] ?? []) as readonly { id?: unknown }[]) {
        if (typeof id === 'number') next = Math.max(next, id + 1)
      }
      return [list, next]
    }),
  )
}

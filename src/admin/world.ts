import * as z from 'zod'
import { type ResetOptions, resetParts } from '../simulator/options.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { parseOptions, unexpectedValue, unknownWord } from '../utils/errors.ts'
import type { AddedIds, NewRows, RowEdits } from '../world/edit/edit-rows.ts'
import { annotationQuerySchema } from '../world/edit/find-rows.ts'
import { accessTo } from '../world/edit/world-access.ts'
import type { FixtureName } from '../world/load/build-world.ts'
import { completeWorld } from '../world/load/complete-world.ts'
import { generatedCountsSchema } from '../world/schema/world-schema.ts'
import { editableLists, type RowId } from '../world/tables.ts'
import type { EditableList, WorldJson } from '../world/world-json.ts'
import { found, operation, queryOperation, toId, unchecked } from './operation.ts'

/** A name that no fixture has is refused later, with the names that exist. */
const fixtureSchema = z.custom<FixtureName>((value) => typeof value === 'string')

export const worldOperations = {
  'GET /world': operation('Read the whole world, in the format of fixtures.', ({ simulator }) =>
    simulator.world.toJSON(),
  ),

  'PUT /world': operation(
    'Replace the whole world, by a world or the name of a fixture. A reset returns to the new one.',
    z.union([fixtureSchema, unchecked<WorldJson>()], { error: 'expected a world, or its name' }),
    async ({ simulator, body }) => {
      simulator.replaceWorld(await completeWorld(body))
      return simulator.world.counts
    },
  ),

  'PATCH /world': operation(
    'Add rows to lists of the world, then `update` and `delete` others: all or none. Missing fields of new rows get defaults. Or `generate` alone, with the numbers of generated rows. Returns the ids of new rows.',
    unchecked<NewRows & Omit<RowEdits, 'rows'> & { readonly generate?: RowCounts }>(),
    async ({ simulator, body }) => {
      const { generate: counts, update, delete: deleted, ...rows } = body
      if (!Object.hasOwn(body, 'generate'))
        return simulator.world.edit({ rows, update, delete: deleted })
      const [list] = Object.keys(body).filter((name) => name !== 'generate')
      if (list !== undefined) throw unexpectedValue('generate rows', 'generate alone', list)
      const checked = parseOptions(countsSchema, counts, 'generate rows')
      const { generate } = await import('../world/factories/generate.ts')
      return generateRows(simulator, checked, generate)
    },
  ),

  'POST /reset': operation(
    `Reset everything to the start, or with only some of ${resetParts.join(', ')}.`,
    unchecked<ResetOptions>(),
    ({ simulator, body }) => simulator.reset(body),
  ),

  'GET /world/:list': queryOperation(
    'Find rows of a list, deleted annotations included, and count them: search, project, scope, deleted, since, until, offset, limit, sort.',
    annotationQuerySchema,
    ({ simulator, query }, list: string) => simulator.world.find(parseList(list), query),
  ),

  'GET /world/:list/:id': operation(
    'Read a row, in the format of fixtures.',
    ({ simulator }, list: string, id: string) => {
      const name = parseList(list)
      return foundRow(accessTo(simulator.world, name).get(parseRowId(name, id)), name, id)
    },
  ),

  'PATCH /world/:list/:id': operation(
    'Update fields of a row. The field deleted deletes or restores an annotation.',
    z.record(z.string(), z.unknown()),
    ({ simulator, body }, list: string, id: string) => {
      const name = parseList(list)
      const rows = accessTo(simulator.world, name)
      foundRow(rows.get(parseRowId(name, id)), name, id)
      return rows.update(parseRowId(name, id), body)
    },
  ),

  'DELETE /world/:list/:id': operation(
    'Remove a row from the world. A row that other rows refer to is refused.',
    ({ simulator }, list: string, id: string) => {
      const name = parseList(list)
      foundRow(accessTo(simulator.world, name).delete(parseRowId(name, id)), name, id)
    },
  ),
}

/** The lists to which generated rows can be added. */
const generatedLists = [
  'projects',
  'users',
  'dashboard_items',
  'plugins',
  'plugin_configs',
  'annotations',
] as const

/** The number of rows to generate in each list. */
export type RowCounts = { readonly [List in (typeof generatedLists)[number]]?: number }

const countsSchema = generatedCountsSchema(generatedLists) as z.ZodType<RowCounts>

/**
 * Adds realistic rows to a world: all of them or none. They reference existing projects and users, and their dates are
 * around the time of the clock. The same world and seed give the same rows. A second call adds different rows, because
 * ids never repeat.
 *
 * @param generate the factories
 * @throws UsageError if the world has no rows that the new rows could reference
 */
function generateRows(
  { world, clock }: Simulator,
  counts: RowCounts,
  generate: (world: WorldJson) => WorldJson,
): AddedIds {
  // Annotations and activity can be many, and no row refers to them.
  const existing: WorldJson = { ...world.toJSON(), annotations: [], activity: [] }
  const grown = generate({ ...existing, now: clock.iso(), generate: counts })
  const lists = generatedLists.filter((list) => counts[list] !== undefined)
  const added = lists.map((list) => [list, grown[list]?.slice(existing[list]?.length ?? 0)])
  return world.add(Object.fromEntries(added))
}

/** The list of rows that a path names. */
function parseList(text: string): EditableList {
  const lists: readonly string[] = editableLists
  if (lists.includes(text)) return text as EditableList
  throw unknownWord('find the list', lists, text, 'list')
}

/** Only organizations have ids that are strings. */
function parseRowId(list: EditableList, text: string): RowId {
  return list === 'organizations' ? text : toId(text)
}

function foundRow<T>(resource: T | undefined | false, list: string, id: string): T {
  return found(resource, 'id', `Row ${id} of ${list}`)
}

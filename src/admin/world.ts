import * as z from 'zod'
import { type ResetOptions, resetParts } from '../simulator/options.ts'
import { unknownWord } from '../utils/errors.ts'
import type { NewRows, RowEdits } from '../world/edit/edit-rows.ts'
import { annotationQuerySchema } from '../world/edit/find-rows.ts'
import { accessTo } from '../world/edit/world-access.ts'
import type { FixtureName } from '../world/load/build-world.ts'
import { completeWorld } from '../world/load/complete-world.ts'
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
    'Add rows to lists of the world, then `update` and `delete` others: all or none. Missing fields of new rows get defaults. Returns the ids of new rows.',
    unchecked<NewRows & Omit<RowEdits, 'rows'>>(),
    ({ simulator, body: { update, delete: deleted, ...rows } }) =>
      simulator.world.edit({ rows, update, delete: deleted }),
  ),

  'POST /reset': operation(
    `Reset everything to the start, or with only some of ${resetParts.join(', ')}.`,
    unchecked<ResetOptions>(),
    ({ simulator, body }) => simulator.reset(body),
  ),

  'GET /world/:list': queryOperation(
    'Find rows of a list, deleted annotations included, and count them: search, project, scope, deleted, since, until, offset, limit.',
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

import { expect, test } from 'vitest'
import defaultWorld from '../../../../fixtures/default.json' with { type: 'json' }
import { loadWorld } from '../../../../src/world/load/load-world.ts'
import type { AnnotationJson, WorldJson } from '../../../../src/world/world-json.ts'

const base = defaultWorld as WorldJson
const organization = base.organizations?.[0]?.id
const fields = { scope: 'project', deleted: false, project: 1 }
const row = { ...(base.annotations?.[0] as AnnotationJson), ...fields }

test('a row is in the list of its own project or organization, whatever the row before it is in', () => {
  const rows = [
    row,
    row,
    { ...row, project: 2 },
    { ...row, scope: 'organization' },
    row,
    { ...row, deleted: true },
    row,
  ]
  const world = {
    ...base,
    next_ids: {},
    annotations: rows.map((each, at) => ({ ...each, id: at + 1 })),
  }

  const { annotations } = loadWorld(world).tables

  const idsIn = (index: string) =>
    annotations
      .list([index])
      .toArray()
      .map((entry) => entry.row.id)
  expect(idsIn('project:1')).toEqual([7, 5, 2, 1])
  expect(idsIn('project:2')).toEqual([3])
  expect(idsIn(`organization:${organization}`)).toEqual([4])
  expect(idsIn('project:1:deleted')).toEqual([6])
})

import { expect, test } from 'vitest'
import { factories, generate } from '../../../src/factories.ts'
import { listsOf } from '../../support/world-lists.ts'

/** Two organizations with a project each. */
function twoProjects() {
  const create = factories()
  const [organization, secondOrganization] = [create.organization(), create.organization()]
  create.project({ organization: organization.id })
  const project = create.project({ organization: secondOrganization.id })
  return { create, organization, secondOrganization, project }
}

test('an annotation of a dashboard item is in its project', () => {
  const { create, project } = twoProjects()
  const item = create.dashboard_item({ project: project.id })

  expect(create.annotation({ dashboard_item: item.id })).toMatchObject({
    project: project.id,
    scope: 'dashboard_item',
  })
})

test('an annotation that cannot have a dashboard item has another scope', () => {
  const rows = Array.from({ length: 40 }, () => ({ dashboard_item: null }))
  const withItems = generate({ annotations: rows, generate: { dashboard_items: 3 } })
  const withoutItems = generate({ generate: { annotations: 40 } })

  for (const world of [withItems, withoutItems]) {
    const scopes = new Set(listsOf(world).annotations.map(({ scope }) => scope))
    expect.soft(scopes).toEqual(new Set(['project', 'organization']))
  }
})

test('a plugin configuration fits its project, or the plugin that is given', () => {
  const { create, organization, secondOrganization, project } = twoProjects()
  const schema = (key: string) => [{ key, name: key, type: 'string' }]
  const first = create.plugin({ organization: organization.id, config_schema: schema('first') })
  const own = create.plugin({ organization: secondOrganization.id, config_schema: schema('own') })

  expect(create.plugin_config({ project: project.id })).toMatchObject({
    plugin: own.id,
    config: { own: expect.any(String) },
  })
  expect(create.plugin_config({ plugin: own.id })).toMatchObject({
    project: project.id,
    config: { own: expect.any(String) },
  })
  expect(create.plugin_config({ plugin: first.id })).toMatchObject({ plugin: first.id, project: 1 })
})

test('a configuration has values for the fields of a schema, and skips what is no field', () => {
  const create = factories()
  const config_schema = [null, 'text', [], { name: 'No key' }, { key: 'host' }]
  const { id } = create.plugin({ config_schema })

  expect(create.plugin_config({ plugin: id }).config).toEqual({ host: expect.any(String) })
})

test('an activity of a project is of its organization', () => {
  const { create, organization, secondOrganization, project } = twoProjects()

  const ofProject = create.activity({ project: project.id })
  const ofOther = create.activity({ project: 1 })

  expect([ofProject, ofOther]).toMatchObject([
    { project: project.id, organization: secondOrganization.id },
    { project: 1, organization: organization.id },
  ])
})

test('annotations and activities are of an active member', () => {
  const create = factories()
  create.organization()
  create.user({ is_active: false })
  const { id } = create.user()

  expect([create.annotation().created_by, create.activity().user]).toEqual([id, id])
})

import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import type { AnnotationRow } from '../../../src/world/entities/annotation.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { annotationRow } from './annotation.ts'
import { acme, initech } from './paths.ts'

/**
 * The world `default` (Acme with the projects 1 and 2) and a second organization, Initech, with project 3. Ada belongs
 * to Acme. Noor belongs to both, and has the key `phx_noor`. Initech has two annotations, one of them organization-wide.
 */
export const twoOrganizations = {
  ...defaultWorld,
  organizations: [
    ...defaultWorld.organizations,
    { id: initech, name: 'Initech', plugins_access_level: 9 },
  ],
  projects: [...defaultWorld.projects, { id: 3, organization: initech, name: 'Back office' }],
  users: defaultWorld.users.map((user) =>
    user.id === 2 ? { ...user, organizations: [acme, initech] } : user,
  ),
  keys: [...defaultWorld.keys, { value: 'phx_noor', user: 2, scopes: ['*'] }],
  annotations: [
    ...defaultWorld.annotations,
    createAnnotation(21, 'Moved office', 'project'),
    createAnnotation(22, 'Holiday', 'organization'),
  ],
} as unknown as WorldJson

function createAnnotation(id: number, content: string, scope: AnnotationRow['scope']) {
  const time = '2024-06-01T00:00:00Z'
  const times = { date_marker: time, created_at: time, updated_at: time }
  return annotationRow({ id, content, ...times, created_by: 2, scope, project: 3 })
}
